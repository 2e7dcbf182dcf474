"""Every threshold of the robust detector, by name, with its unit."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BandParams:
    """Which part of the spectrum is looked at, and how finely.

    Attributes:
        edges_hz: limits of the bands, ascending; a band takes the bins from its lower limit up to its upper.
            Every telephone line carries them, whatever the sample rate of the recording.
        basis_bits: sines and cosines are whole numbers of this many bits.
        spectrum_bits: a spectral value is rounded to this many bits, full scale included.
        lowest_dbfs: no level is below this.
    """

    edges_hz: tuple[float, ...] = (
        200.0,
        300.0,
        400.0,
        520.0,
        660.0,
        830.0,
        1040.0,
        1300.0,
        1620.0,
        2020.0,
        2520.0,
        3400.0,
    )
    basis_bits: int = 16
    spectrum_bits: int = 22
    lowest_dbfs: float = -120.0


@dataclass(frozen=True, slots=True)
class PartialParams:
    """Which tones are looked at, and when one is held; fitted on the tuning half and on music.

    Attributes:
        least_rate_hz: samples are thinned to at least so many in a second.
        window_sec: length of one spectrum.
        step_sec: from one to the next.
        lowest_hz: no lower tone counts: the lowest partials of a voice hardly glide, and mains hum is low.
        highest_hz: and no higher one.
        beside_hz: a peak stands out from what lies this far to both sides,
        prominence_db: by this much over its mean,
        lowest_dbfs: and above this level.
        held_sec: a tone is held when it has a peak for so long.
        sample_bits: a thinned sample has this many bits, full scale included.
        basis_bits: sines and cosines are whole numbers of this many bits.
        spectrum_bits: a spectral value is rounded to this many bits, full scale included.
    """

    least_rate_hz: float = 4000.0
    window_sec: float = 0.1
    step_sec: float = 0.03
    lowest_hz: float = 500.0
    highest_hz: float = 1800.0
    beside_hz: float = 80.0
    prominence_db: float = 6.0
    lowest_dbfs: float = -75.0
    held_sec: float = 0.3
    sample_bits: int = 20
    basis_bits: int = 16
    spectrum_bits: int = 22


@dataclass(frozen=True, slots=True)
class MusicParams:
    """When held tones are music; fitted on the tuning half, rendered songs and three pieces of hold music.

    Attributes:
        window_sec: held tones are counted over this long,
        most_tones: at each step up to this many,
        least_tones: and this many on average are music.
        more_tones: and this many beside such a stretch are more of it.
        edge_sec: music begins with the first stretch of this length that holds as many; the last ends it.
        gap_sec: music that pauses for no longer goes on: a verse without chords, or an announcement.
        reach_sec: and it reaches this much further at most, if the sound it is in has no pause there.
        unbroken_sec: a sound without a pause for so long may be music where nothing else is in doubt.
        quiet_quantile: quantile of the levels under music that is the music alone.
        sound_quantile: quantile of the levels of what was taken for sound there.
        over_music_db: sound this far above the music is a party's, and the music is no matter.
    """

    window_sec: float = 6.0
    most_tones: int = 6
    least_tones: float = 0.8
    more_tones: float = 0.4
    edge_sec: float = 1.0
    gap_sec: float = 8.0
    reach_sec: float = 5.0
    unbroken_sec: float = 10.0
    quiet_quantile: float = 0.2
    sound_quantile: float = 0.5
    over_music_db: float = 14.0


@dataclass(frozen=True, slots=True)
class NoiseParams:
    """The local noise floor of a series of levels.

    Attributes:
        reach_sec: the floor is taken from this far before to this far after.
        step_sec: distance between two floors; linear in between.
        percentile: share of the quietest frames that marks the floor.
        band_bias_db: the quietest frames of one band of stationary noise lie this far under its middle.
        lowest_dbfs: no floor is below this.
    """

    reach_sec: float = 5.0
    step_sec: float = 1.0
    percentile: float = 0.10
    band_bias_db: float = 3.5
    lowest_dbfs: float = -98.0


@dataclass(frozen=True, slots=True)
class ChangeParams:
    """When the background changes for good.

    Attributes:
        reach_sec: the floors before and after are taken from this long.
        step_sec: changes are looked for this far apart, and then placed to the frame.
        low_quantile: share of the quietest frames that marks a floor here.
        high_quantile: and the quantile that shows whether a floor is a background.
        steady_spread_db: a background lies between them within this.
        least_db: a smaller change is none.
        lowest_dbfs: levels below this count as this.
    """

    reach_sec: float = 8.0
    step_sec: float = 0.5
    low_quantile: float = 0.05
    high_quantile: float = 0.25
    steady_spread_db: float = 4.0
    least_db: float = 8.0
    lowest_dbfs: float = -80.0


@dataclass(frozen=True, slots=True)
class VoteParams:
    """The three voters and how their votes become runs.

    Attributes:
        gate_dbfs: in-band level under which nothing is ever active.
        loud_quantile: quantile of the in-band levels that counts as loud.
        below_loud_db: and nothing is active this far under loud sound.
        local_high_db: local floor: a run reaches this far above it somewhere.
        local_low_db: and stays this far above it.
        local_lowest_dbfs: the local floor of this voter is not below this.
        mixture_low_quantile, mixture_high_quantile: where the two Gaussians begin.
        mixture_rounds: rounds of expectation and maximisation.
        mixture_lowest_dbfs: levels below this count as this.
        mixture_hysteresis_db: this far above the crossing for a run to begin, and as far below to end.
        contrast_limit_db: contrast of one band counts up to this.
        contrast_smooth_frames: the contrast is averaged over this many frames.
        contrast_sigmas: this many deviations above the lower class.
        contrast_least_sigma_db: the deviation of the lower class is at least this.
        contrast_least_db: the upper limit is at least this where a lower class was measured.
        contrast_class_share: share of frames that makes a lower class.
        contrast_upper_share: the upper limit lies at most at this share of the middle of the upper class.
        contrast_lowest_share: and at least at this share of it.
        contrast_lowest_db: and at least this high.
        contrast_low_share: the lower limit over the upper one.
        bridge_sec: a gap of at most this is closed.
        least_sec: a shorter run is dropped.
    """

    gate_dbfs: float = -90.0
    loud_quantile: float = 0.99
    below_loud_db: float = 45.0
    local_high_db: float = 12.0
    local_low_db: float = 8.0
    local_lowest_dbfs: float = -90.0
    mixture_low_quantile: float = 0.15
    mixture_high_quantile: float = 0.90
    mixture_rounds: int = 40
    mixture_lowest_dbfs: float = -90.0
    mixture_hysteresis_db: float = 2.0
    contrast_limit_db: float = 30.0
    contrast_smooth_frames: int = 5
    contrast_sigmas: float = 2.5
    contrast_least_sigma_db: float = 0.3
    contrast_least_db: float = 5.0
    contrast_class_share: float = 0.20
    contrast_upper_share: float = 0.65
    contrast_lowest_share: float = 0.30
    contrast_lowest_db: float = 4.0
    contrast_low_share: float = 0.45
    bridge_sec: float = 0.15
    least_sec: float = 0.05


@dataclass(frozen=True, slots=True)
class WeakParams:
    """What is too weak for the sound it is joined to; fitted on the tuning half of the natural calls.

    Attributes:
        reach_sec: loud sound is looked for this far to both sides.
        step_sec: and again for every stretch of this length.
        loud_quantile: quantile of the levels nearby that counts as loud.
        share: a frame is weak under this share of the way from the floor up to what is loud.
        least_sec: a shorter weak stretch is a pause between syllables.
    """

    reach_sec: float = 1.0
    step_sec: float = 0.1
    loud_quantile: float = 0.9
    share: float = 0.5
    least_sec: float = 0.2


@dataclass(frozen=True, slots=True)
class TailParams:
    """How much of a decay noise hides; fitted on the tuning half of the natural calls.

    Attributes:
        full_range_db: with loud sound this far over the floor under its end nothing is hidden.
        sec_per_db: each decibel less hides this much.
        longest_sec: and at most this is hidden.
        loud_quantile: quantile of the levels of a sound that counts as loud.
        bridge_sec: a gap of at most this is closed after a hidden end, for a beginning can be hidden as well,
        bridge_more: and of this times what is hidden more,
        alike_share: if the weaker sound reaches this share of the way from the floor up to the other.
    """

    full_range_db: float = 44.0
    sec_per_db: float = 0.002
    longest_sec: float = 0.06
    bridge_sec: float = 0.15
    bridge_more: float = 4.0
    alike_share: float = 0.7
    loud_quantile: float = 0.95


@dataclass(frozen=True, slots=True)
class EchoPathParams:
    """When one channel follows another, and what the echo may reach.

    Attributes:
        max_lag_sec: longest delay that is looked at.
        change_frames: a change of level is taken over this many frames.
        change_limit_db: and counts up to this.
        quiet_dbfs: levels below this count as this, or silence would change wildly.
        least_source_sec: the source must sound for this long, or nothing is said.
        level_limit: correlation of the frame levels from which one channel seems to follow the other.
        band_limit: correlation over all bands from which it does.
        source_over_floor_db: a band of the source sounds this far above its local floor.
        heard_over_floor_db: a band of the receiver holds something this far above its local floor.
        gain_quantile: quantile of the receiver over the source that is the echo's gain.
        gain_min_frames: frames that a gain needs.
        gain_min_share: and share of the frames in which the source sounds.
        widened_frames: an echo may come this many frames early or late.
        decay_db: a room dies away by this much in a frame.
        mixed_gain_db: a copy louder than this and without delay is a mix of both parties.
        margin_db: sound counts as the receiver's own this far above the echo.
        contrast_lowest_share: over an echo the upper limit of the contrast goes down to this share of the
            middle of the upper class: two voices at once leave few bands.
        lowest_dbfs: level where there is no echo.
    """

    max_lag_sec: float = 0.5
    change_frames: int = 2
    change_limit_db: float = 15.0
    quiet_dbfs: float = -75.0
    least_source_sec: float = 2.0
    level_limit: float = 0.30
    band_limit: float = 0.20
    source_over_floor_db: float = 12.0
    heard_over_floor_db: float = 6.0
    gain_quantile: float = 0.20
    gain_min_frames: int = 100
    gain_min_share: float = 0.05
    widened_frames: int = 1
    decay_db: float = 5.0
    mixed_gain_db: float = -14.0
    margin_db: float = 5.0
    contrast_lowest_share: float = 0.22
    lowest_dbfs: float = -120.0


@dataclass(frozen=True, slots=True)
class MountParams:
    """When what lies a little over an echo mounts up to speech; fitted on the tuning half.

    Attributes:
        over_middle: a frame speaks for speech above this times the middle contrast under the echo,
        background_quantile: above this quantile of the contrast where nobody sounds,
        least_db: and above this contrast,
        frame_limit_db: and counts up to this.
        sum_db: so much has to come together, in decibels times frames.
        fall_db: a sum that falls by so much has passed the end of the speech.
        bridge_sec: an echo goes on over a gap of at most this.
    """

    over_middle: float = 1.4
    background_quantile: float = 0.98
    least_db: float = 4.0
    frame_limit_db: float = 8.0
    sum_db: float = 30.0
    fall_db: float = 40.0
    bridge_sec: float = 0.1


@dataclass(frozen=True, slots=True)
class FlatParams:
    """What the bands are measured against.

    Attributes:
        middle_quantile: quantile of a band's levels that is its middle.
        lowest_dbfs: no middle is below this.
        stands_at_dbfs: where the middle is put for the voters.
    """

    middle_quantile: float = 0.5
    lowest_dbfs: float = -98.0
    stands_at_dbfs: float = -60.0


@dataclass(frozen=True, slots=True)
class FluxParams:
    """When a sound is too steady for speech; fitted on the tuning half of the natural calls.

    Attributes:
        smooth_sec: the level is averaged over this before its changes are taken.
        window_sec: changes are averaged over this.
        limit_db: mean change in a frame under which a sound is steady.
        least_sec: a shorter part may be a drawn-out vowel.
        rim_sec: a steady part reaches this far beyond the middles of its windows, less than half of one.
    """

    smooth_sec: float = 0.05
    window_sec: float = 0.5
    limit_db: float = 0.36
    least_sec: float = 0.2
    rim_sec: float = 0.2


@dataclass(frozen=True, slots=True)
class RhythmParams:
    """When short sounds are beats of music.

    Attributes:
        longest_sec: a beat is no longer than this.
        jitter_sec: the distances of beats differ by no more than this.
        least_beats: so many in a row are a rhythm.
    """

    longest_sec: float = 0.35
    jitter_sec: float = 0.02
    least_beats: int = 3


@dataclass(frozen=True, slots=True)
class DecideParams:
    """Whose answer is taken, and how far it holds.

    Attributes:
        least_sec: a shorter recording stays with the reference, in doubt: it shows no background.
        least_level_sec: so does one shorter than this whose only trouble is a low level, not a noise.
        least_sound_sec: an answer with less sound is none, unless an echo explains the rest.
        same_limit: share of frames on which the reference and the robust answer agree to be one.
        clear_snr_db: if loud sound stands this far over the floor;
        agreement_limit: or from this share on, if nothing was taken out,
        headroom_db: and loud sound stands this far above the reference's threshold,
        dense_share: or this share of the frames from the first sound to the last is sound,
        dense_over_floor_db: and the reference's threshold stands this far above its floor,
        dense_clear_db: or this far,
        dense_run_sec: and its raw sounds are at least this long, by their median: no noise crosses it then,
        dense_agreement_limit: and then this agreement is enough,
        dense_crumb_share: if at most this share of them is shorter than the shortest run.
        loud_quantile: quantile of the levels that counts as loud there.
        plausible_share: a reference that hears less than this share of a recording may be right,
        crumb_sec: if its raw sounds are at least this long, by their median: noise makes crumbs.
        separation_limit_db: contrast of sound over that of its background under which neither is sure.
        background_quantile: quantile of the background's contrast that is compared.
        snr_limit_db: loud sound over background under which faint parts are lost.
    """

    least_sec: float = 4.0
    least_level_sec: float = 10.0
    least_sound_sec: float = 0.3
    same_limit: float = 0.97
    clear_snr_db: float = 36.0
    agreement_limit: float = 0.90
    headroom_db: float = 25.0
    dense_share: float = 0.6
    dense_agreement_limit: float = 0.85
    dense_crumb_share: float = 0.2
    dense_over_floor_db: float = 2.5
    dense_clear_db: float = 0.5
    dense_run_sec: float = 0.2
    loud_quantile: float = 0.99
    plausible_share: float = 0.8
    crumb_sec: float = 0.1
    separation_limit_db: float = 3.0
    background_quantile: float = 0.95
    snr_limit_db: float = 6.0


@dataclass(frozen=True, slots=True)
class RobustParams:
    """All of them.

    Attributes:
        bands: the spectrum.
        partials: tones that hold their pitch.
        music: when they are music.
        noise: the local floor.
        changes: changes of the background.
        votes: the voters.
        weak: parts too weak for the sound they are joined to.
        tails: ends that noise hides.
        echo: the echo.
        mount: speech that an echo hides.
        flat: the level without the colour of the noise.
        flux: steady sound.
        rhythm: beats of music.
        decide: the choice between the detectors.
    """

    bands: BandParams = field(default_factory=BandParams)
    partials: PartialParams = field(default_factory=PartialParams)
    music: MusicParams = field(default_factory=MusicParams)
    noise: NoiseParams = field(default_factory=NoiseParams)
    changes: ChangeParams = field(default_factory=ChangeParams)
    votes: VoteParams = field(default_factory=VoteParams)
    flat: FlatParams = field(default_factory=FlatParams)
    flux: FluxParams = field(default_factory=FluxParams)
    rhythm: RhythmParams = field(default_factory=RhythmParams)
    weak: WeakParams = field(default_factory=WeakParams)
    tails: TailParams = field(default_factory=TailParams)
    echo: EchoPathParams = field(default_factory=EchoPathParams)
    mount: MountParams = field(default_factory=MountParams)
    decide: DecideParams = field(default_factory=DecideParams)
