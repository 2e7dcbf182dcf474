"""Fetch a large file for a corpus builder: from a safe address, bounded, and on from where it broke off."""

from __future__ import annotations

import http.client
import ssl
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hotato.errors import Refusal

_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Limits:
    """What is taken from a server, and how.

    Attributes:
        file_bytes: a longer file is refused.
        block_bytes: so much is read at once.
        timeout_sec: a server that is silent for this long has failed.
    """

    file_bytes: int = 500_000_000
    block_bytes: int = 1 << 16
    timeout_sec: float = 60.0


LIMITS = Limits()


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Redirects are followed only to where a download may come from."""

    def redirect_request(self, *arguments: Any) -> urllib.request.Request | None:
        _, answer, *_, address = arguments
        try:
            require_safe(address)
        except Refusal:
            answer.close()
            raise
        return super().redirect_request(*arguments)


def require_safe(url: str) -> None:
    """Refuse an address that is neither https nor on this machine.

    Raises:
        Refusal: `insecure_address`.
    """
    parts = urllib.parse.urlsplit(url)
    local = parts.scheme == "http" and parts.hostname in _THIS_MACHINE
    if parts.scheme == "https" or local:
        return
    raise Refusal("insecure_address", f"'{url}' is not an https address", "name a mirror that has one")


def download(url: str, target: Path) -> bool:
    """Fetch a file, going on behind what is already there as `target` with `.part` after it.

    Returns:
        Whether the server has the file: False when it answers 404.

    Raises:
        Refusal: the transfer failed, was cut short, or is longer than the limit.
    """
    require_safe(url)
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    verified = urllib.request.HTTPSHandler(context=ssl.create_default_context())
    opener = urllib.request.build_opener(verified, _SafeRedirects)
    try:
        with opener.open(request, timeout=LIMITS.timeout_sec) as answer:
            goes_on = answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")
            _receive(answer, part, have if goes_on else 0)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.client.NOT_FOUND:
            return False
        if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            part.unlink()  # what is there is no beginning of what the server has
            return download(url, target)
        raise _failed(url, f"the server answered {error.code}") from None
    except (OSError, http.client.HTTPException) as error:
        raise _failed(url, str(getattr(error, "reason", error))) from None
    part.replace(target)
    return True


def _receive(answer: http.client.HTTPResponse, part: Path, have: int) -> None:
    left = answer.length
    if left is None or have + left > LIMITS.file_bytes:
        raise Refusal(
            "unexpected_size",
            f"{part.stem} has {'an unknown number of' if left is None else have + left} bytes",
            f"name another mirror; at most {LIMITS.file_bytes} bytes are taken",
        )
    block = answer.read(LIMITS.block_bytes)  # before there is a file, so that no empty one is left
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("ab" if have else "wb") as file:
        while block:
            file.write(block)
            left -= len(block)
            block = answer.read(LIMITS.block_bytes)
    if left:
        raise http.client.IncompleteRead(b"", left)


def _failed(url: str, why: str) -> Refusal:
    name = url.rsplit("/", 1)[-1]
    return Refusal(
        "download_failed", f"{name} could not be downloaded: {why}", "run again: it goes on from there"
    )
