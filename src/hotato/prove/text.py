"""A proof for a terminal, and as Markdown."""

from __future__ import annotations

from hotato.editions import Mark, json_mark, markdown_mark
from hotato.plain import escaped, markdown_text, shown
from hotato.prove.records import Candidate, Lane, Proof
from hotato.report.terminal import Terminal

TITLE = "hotato proof"
PROOF_MARK: Mark = json_mark("proof")
"""The fields that tell a `proof.json` of ours: an older one is replaced."""

PROOF_MD_MARK: Mark = markdown_mark(TITLE, "prove")
"""How a `proof.md` of ours begins: an older one is replaced."""

_ROLES = {"pass": "pass", "fail": "fail"}
_WORDS = {"before_after": "before and after"}
_LANE_CHARS = 18


def proof_text(proof: Proof, *, colour: bool = False, width: int = 80, unicode: bool = True) -> str:
    """The verdict, how far it reaches, and every lane with its counts and reasons.

    Args:
        proof: the proof.
        colour, width, unicode: see `terminal.Terminal`.
    """
    terminal = Terminal(colour, width, unicode)
    said = terminal.paint(_ROLES.get(proof.overall, "bold"), proof.overall.upper())
    lines = [
        terminal.paint("bold", "hotato prove") + terminal.plain(f"  {shown(proof.name, 60)}: ") + said,
        "",
    ]
    lines.append(f"  claim scope         {proof.claim_scope}")
    lines.append(f"  evidence authority  {proof.evidence_authority}")
    if proof.candidate is not None:
        stated = proof.candidate
        lines += [terminal.plain(f"  candidate           {_where(stated)}"), f"    {stated.config_hash}"]
    for lane in proof.lanes:
        verdict = terminal.paint(_ROLES.get(lane.verdict, "bold"), lane.verdict)
        lines += ["", f"  {_name(lane):<{_LANE_CHARS}}  {verdict}"]
        lines += terminal.wrap(_counts(lane), "    ") if lane.counts else []
        for reason in lane.reasons:
            lines += terminal.wrap(shown(reason, 400), "    ", "      ")
    for note in proof.says:
        lines += ["", *terminal.wrap(f"note: {note}")]
    lines += ["", *terminal.wrap(proof.content_id)]
    lines += ["", terminal.paint("soft", f"exit code {proof.exit_code}")]
    return terminal.finish(lines)


def proof_markdown(proof: Proof) -> str:
    """The same as Markdown, with the digest of every input."""
    blocks = [
        str(PROOF_MD_MARK).rstrip(),
        f"**{proof.overall.upper()}**: {markdown_text(proof.name)}",
        f"- claim scope: {proof.claim_scope}\n- evidence authority: {escaped(proof.evidence_authority)}\n"
        f"- content id: `{proof.content_id}`"
        + (
            f"\n- candidate: {markdown_text(_where(proof.candidate), 400)} `{proof.candidate.config_hash}`"
            if proof.candidate
            else ""
        )
        + (f"\n- created at: {markdown_text(proof.created_at)}" if proof.created_at else ""),
    ]
    for lane in proof.lanes:
        blocks.append(f"## {_name(lane).capitalize()}: {lane.verdict}")
        blocks += [escaped(_counts(lane))] if lane.counts else []
        blocks += (
            ["\n".join(f"- {markdown_text(reason, 400)}" for reason in lane.reasons)] if lane.reasons else []
        )
        rows = [f"| {markdown_text(one.input)} | {one.digest or 'none'} |" for one in lane.evidence]
        blocks += ["\n".join(["| evidence | digest |", "| --- | --- |", *rows])] if rows else []
    blocks += ["## What this says", "\n".join(f"- {escaped(note)}" for note in proof.says)]
    return "\n\n".join(blocks) + "\n"


def _name(lane: Lane) -> str:
    return _WORDS.get(lane.lane, lane.lane)


def _counts(lane: Lane) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in lane.counts.items())


def _where(candidate: Candidate) -> str:
    deployment = f", deployment {shown(candidate.deployment_id, 60)}" if candidate.deployment_id else ""
    return f"on {shown(candidate.provider, 60)}{deployment}"
