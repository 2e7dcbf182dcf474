"""`--export`: activity and moments of a call for other programs, beside the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hotato.cli.outputs import Artifact, path_under

if TYPE_CHECKING:
    from hotato.find import Candidate, Incident
    from hotato.listen import Heard

SUFFIX = {"textgrid": ".TextGrid", "rttm": ".rttm", "audacity": ".labels.txt", "csv": ".csv"}


def exported(
    heard: Heard,
    found: Sequence[Candidate] | Sequence[Incident],
    formats: Sequence[str],
    folder: str,
    name: str,
) -> list[Artifact]:
    """The files that `--export` asks for.

    People edit such files, so an existing one with other bytes is never replaced without `--force`.

    Args:
        heard: the call.
        found: what was found in it.
        formats: keys of `SUFFIX`; a repeated one counts once.
        folder: the output folder.
        name: their name without the ending, see `naming.stem`.
    """
    if not formats:
        return []
    from hotato.report import moments_of, spans_export

    moments = moments_of(found)
    return [
        Artifact(path_under(folder, name + SUFFIX[style]), spans_export(heard, moments, style))
        for style in dict.fromkeys(formats)
    ]
