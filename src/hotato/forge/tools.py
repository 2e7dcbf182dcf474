"""git and gh as they are installed here: started with words, never with a shell, and believed only so far."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from hotato.errors import Refusal, UsageError
from hotato.plain import shown

_REPOSITORY = re.compile(r"([A-Za-z0-9][\w.-]*/){1,2}[A-Za-z0-9_.-]+")
_URL = re.compile(r"https?://[^\s\x00-\x1f]+")
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")
"""What a hook of another repository sets, and would make git work on that one."""

_LONGEST_TITLE = 200


def require_repository(text: str | None) -> str | None:
    """`OWNER/NAME`, or `HOST/OWNER/NAME`, as gh takes it; None stays None.

    Raises:
        UsageError: it is neither.
    """
    if text is not None and not _REPOSITORY.fullmatch(text):
        raise UsageError(f"'{shown(text)}' names no repository", "write it as --repo OWNER/NAME")
    return text


def require_line(text: str, what: str) -> str:
    """A title or label: one line of text that is not empty.

    Raises:
        UsageError: it is empty, too long, or holds letters that no line has.
    """
    line = text.strip()
    if not line or len(line) > _LONGEST_TITLE or shown(line, _LONGEST_TITLE) != line:
        raise UsageError(f"'{shown(text)}' is no {what}", f"write the {what} on one line")
    return line


def run(
    words: list[str],
    folder: Path | None = None,
    *,
    text: str | None = None,
    code: str,
    remedy: str | None = None,
) -> str:
    """Run git or gh and return what it printed.

    Args:
        words: the command line.
        folder: where to run it; None for the working folder.
        text: its standard input.
        code: the refusal's code where it fails.
        remedy: the next step where it fails.

    Raises:
        Refusal: `tool_missing`, or `code` with the last line that the tool said.
    """
    done = _finished(words, folder, text)
    if done.returncode:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        why = f": {shown(_without_secrets(said[-1]))}" if said else ""
        raise Refusal(code, f"{words[0]} {_verb(words)} exited {done.returncode}{why}", remedy)
    return done.stdout


def succeeds(words: list[str], folder: Path | None = None) -> bool:
    """Whether a command exits 0; what it says goes nowhere."""
    return _finished(words, folder, None).returncode == 0


def _finished(words: list[str], folder: Path | None, text: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GH_PROMPT_DISABLED": "1", "LC_ALL": "C"}
    try:
        return subprocess.run(
            words,
            cwd=folder,
            input=text if text is not None else "",
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
            check=False,
        )
    except FileNotFoundError:
        raise Refusal(
            "tool_missing", f"'{words[0]}' is not installed", f"install {words[0]}, or do the steps by hand"
        ) from None


def _verb(words: list[str]) -> str:
    """What the command does, without paths, flags and texts."""
    plain = [word for word in words[1:] if re.fullmatch(r"[a-z-]+", word) and not word.startswith("-")]
    return " ".join(plain[:2])


def _without_secrets(line: str) -> str:
    """A line without the user part of a URL, where passwords and tokens stand."""
    return re.sub(r"://[^/@\s]+@", "://", line)


def first_url(printed: str) -> str | None:
    """The address that gh printed, or None."""
    found = _URL.search(printed)
    return shown(found[0]) if found else None
