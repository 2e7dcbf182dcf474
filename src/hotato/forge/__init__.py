"""Issues and pull requests: what a person found, put where the team works.

Nothing is run unless it is asked for: a plan is a list of command lines and a text, and it is printed. With
`--yes` the same command lines are run, with git and gh as they are set up on this machine.
"""

from hotato.forge.issue import DEFAULT_TOP, LARGEST_TOP, IssuePlan, plan_issue, run_issue
from hotato.forge.pull import AUDIO_WARNING, PullPlan, PullRequest, plan_pull, run_pull

__all__ = [
    "AUDIO_WARNING",
    "DEFAULT_TOP",
    "LARGEST_TOP",
    "IssuePlan",
    "PullPlan",
    "PullRequest",
    "plan_issue",
    "plan_pull",
    "run_issue",
    "run_pull",
]
