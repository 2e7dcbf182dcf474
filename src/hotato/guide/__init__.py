"""The guided first run: from a recording to a contract that CI re-verifies, every step with its next one."""

from hotato.guide.demo import first_run_on_demo
from hotato.guide.own import first_run_on_own
from hotato.guide.records import FirstRun, first_run_json
from hotato.guide.text import first_run_text

__all__ = [
    "FirstRun",
    "first_run_json",
    "first_run_on_demo",
    "first_run_on_own",
    "first_run_text",
]
