"""Every threshold of the whole-call walk and of the grading, by name."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class ScanParams:
    """What makes a moment a candidate. The windows of the measurement itself are in `ScoreConfig`.

    Attributes:
        min_gap_sec: a silence after the caller is a candidate from this length on.
        turn_pause_sec: a pause of at most this long stays inside a turn.
        dual_start_sec: two turns that begin at most this far apart are one dual start.
        first_turn_sec: the caller's first turn collides with the agent's first when it begins within this
            time of it.
        unanswered_end_sec: a turn is unanswered at the end of the recording only with this much time left.
        second_reply_gap_sec: joint silence of at least this long separates two replies.
        reply_min_sec: an agent turn shorter than this is no reply.
        onset_level_sec: how far into a sound its onset level is read.
        weak_onset_db: an onset whose level stands less than this above the threshold is weak.
        click_sec: a turn with less raw sound than this is a click and no turn.
        missing_near_sec: a drop-out this near to an edge may have made it.
        under_way_sec: a caller's turn is under way once this much of it has sounded, as a short word does; an
            agent that begins after less has not joined it.
        acknowledged_sec: a caller who after a pause makes a sound of at most this long has not gone on.
        cut_in_sec: an agent that began in a pause of the caller of at most this long may have cut in.
    """

    min_gap_sec: float = 2.0
    turn_pause_sec: float = 0.5
    dual_start_sec: float = 0.2
    first_turn_sec: float = 1.0
    unanswered_end_sec: float = 3.0
    second_reply_gap_sec: float = 0.8
    reply_min_sec: float = 0.6
    onset_level_sec: float = 0.2
    weak_onset_db: float = 6.0
    click_sec: float = 0.05
    missing_near_sec: float = 0.05
    under_way_sec: float = 0.2
    acknowledged_sec: float = 0.6
    cut_in_sec: float = 1.0

    def without_hangover(self, hangover_sec: float) -> ScanParams:
        """Limits that find every silence which is this long at the raw edges.

        A documented silence begins when the hangover ends, so it is shorter by up to `hangover_sec`.
        """
        return replace(
            self,
            min_gap_sec=self.min_gap_sec - hangover_sec,
            unanswered_end_sec=self.unanswered_end_sec - hangover_sec,
            second_reply_gap_sec=self.second_reply_gap_sec - hangover_sec,
        )


@dataclass(frozen=True, slots=True)
class EchoMatchParams:
    """When a stretch of the caller channel is a delayed, scaled copy of the agent.

    Attributes:
        max_lag_sec: longest delay that is tried.
        stretch_sec: how much of the stretch is compared, from its onset.
        min_stretch_sec: a shorter comparison says nothing: one of so many lags fits a short sound by chance.
        agent_variation_db: the agent's level must vary this much (standard deviation), or there is no shape
            to match.
        residual_db: the two levels differ by a constant to within this standard deviation.
        max_gain_db: a copy is at most this loud relative to the agent.
        known_residual_db: where the robust detector knows an echo, this is enough at its lag: copies of the
            tuning half lay within it, a caller over an echo at -6 dB from 2.8 dB up.
        known_over_gain_db: and the copy is at most this much louder than the gain that is known, for that is
            the gain of the quietest fifth.
        known_lag_frames: the lag is looked for this far around the known one.
        lag_tolerance_sec: where the whole channel is suspected, a beginning this near to the lag is a copy's.
    """

    max_lag_sec: float = 0.5
    stretch_sec: float = 1.5
    min_stretch_sec: float = 0.3
    agent_variation_db: float = 3.0
    residual_db: float = 1.5
    max_gain_db: float = 0.0
    known_residual_db: float = 2.5
    known_over_gain_db: float = 8.0
    known_lag_frames: int = 1
    lag_tolerance_sec: float = 0.03


@dataclass(frozen=True, slots=True)
class GradeParams:
    """When a candidate is an incident, and when that is CRITICAL.

    Attributes:
        overlap_limit_sec: talking over one caller turn for longer than this is CRITICAL.
        least_overlap_sec: a shorter overlap at a change of speaker is ordinary and no incident.
        least_stop_overlap_sec: an agent that is quiet sooner than this ended before it could react.
        short_sound_sec: a caller's sound of at most this long is a backchannel ("mhm"), no bid for the floor.
        stop_near_sec: the agent stopped for a sound when it went quiet during it or at most this long after.
        talk_through_sec: a sound of at most this long may be talked through.
        dead_air_sec: a silence of at least this long is CRITICAL dead air.
        agent_pause_sec: a hole in the agent's own speech is an incident from this length on.
        unanswered_sec: a caller who had to speak again after this long was not answered.
        reprompt_sec: a caller turn at most this long after a silence looks like a prompt ("Hello?").
        mono_full_margin_db: a mono silence this far under the threshold has confidence 1.
    """

    overlap_limit_sec: float = 1.0
    least_overlap_sec: float = 0.2
    least_stop_overlap_sec: float = 0.1
    short_sound_sec: float = 0.6
    stop_near_sec: float = 0.3
    talk_through_sec: float = 1.0
    dead_air_sec: float = 5.0
    agent_pause_sec: float = 1.0
    unanswered_sec: float = 3.0
    reprompt_sec: float = 1.5
    mono_full_margin_db: float = 20.0
