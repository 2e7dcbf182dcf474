/* The inner loop of the energy meter: one walk over interleaved 16-bit samples.

   Every result is an exact integer, as it is in hop_sums.py, which does the same where this is not compiled:
   a square is at most 2^30, and a hop of N samples stays below 2^(30 + log2 N), far from 2^53. */

#include <stddef.h>
#include <stdint.h>

/* One channel: a sum of squares for each hop, a sum for each part of a hop, and the extremes so far.
   Made once for every common step, so that a compiler can turn it into vector instructions. */
static inline void sum_channel(const int16_t *restrict samples, size_t step, size_t hops, size_t parts,
                               size_t part, double *restrict squares, int32_t *restrict low,
                               int16_t *restrict extremes)
{
    int16_t highest = extremes[0], lowest = extremes[1];
    for (size_t hop = 0; hop < hops; hop++) {
        int64_t square = 0;
        for (size_t at = 0; at < parts; at++) {
            int32_t sum = 0;
            for (size_t i = 0; i < part; i++) {
                const int16_t sample = samples[i * step];
                const int32_t wide = sample;
                sum += wide;
                square += wide * wide;
                highest = sample > highest ? sample : highest;
                lowest = sample < lowest ? sample : lowest;
            }
            *low++ = sum;
            samples += part * step;
        }
        *squares++ = (double)square;
    }
    extremes[0] = highest;
    extremes[1] = lowest;
}

/* Samples of shape (hops * parts * part, channels); the results have one row for each channel:
   squares (channels, hops), low (channels, hops * parts), extremes (channels, 2), which begin as zeros. */
void hotato_hop_sums_1(const int16_t *samples, size_t channels, size_t hops, size_t parts, size_t part,
                       double *squares, int32_t *low, int16_t *extremes)
{
    for (size_t channel = 0; channel < channels; channel++) {
        const int16_t *first = samples + channel;
        if (channels == 1)
            sum_channel(first, 1, hops, parts, part, squares, low, extremes);
        else if (channels == 2)
            sum_channel(first, 2, hops, parts, part, squares, low, extremes);
        else
            sum_channel(first, channels, hops, parts, part, squares, low, extremes);
        squares += hops;
        low += hops * parts;
        extremes += 2;
    }
}
