"""The gauntlet: a bundled stress test of the scorer, from any install and without a corpus.

Hard calls that must pass and defective calls that must fail on the axis they were made for. The scenarios
ship with the package, the audio is rendered when it runs and has to match pinned digests.

    from hotato.gauntlet import run_gauntlet
    result = run_gauntlet()
    assert result.exit_code == 0
"""

from hotato.gauntlet.badge import BADGE_MARK, badge
from hotato.gauntlet.records import FamilyCount, GauntletResult, GauntletScenario, Plan
from hotato.gauntlet.run import plan_gauntlet, run_gauntlet
from hotato.gauntlet.text import plan_text, result_text

__all__ = [
    "BADGE_MARK",
    "FamilyCount",
    "GauntletResult",
    "GauntletScenario",
    "Plan",
    "badge",
    "plan_gauntlet",
    "plan_text",
    "result_text",
    "run_gauntlet",
]
