"""`hotato contract sign`, `keygen`, `pack` and `unpack`: whose word a contract is, and how it travels."""

from __future__ import annotations

import os
from pathlib import Path

import click

from hotato.cli import options
from hotato.cli.outputs import Artifact, require_file_name, write_artifacts, written_lines
from hotato.cli.terminal import emit
from hotato.errors import EXIT_PASS, UsageError
from hotato.plain import portable

_SECRET_MODE = 0o600


@click.command("sign")
@click.argument("bundle", type=options.FILE, metavar="BUNDLE")
@click.option(
    "--key",
    type=options.FILE,
    required=True,
    metavar="FILE",
    help="What keygen made: an Ed25519 private key (PEM), or a shared secret.",
)
@options.force_option
@options.format_option("text", "json")
def sign(bundle: str, key: str, force: bool, style: str) -> int:
    """Sign a contract.

    Writes signature.dsse.json into it, a DSSE envelope around an in-toto statement. A contract that is not
    what it was sealed as is refused.
    """
    from hotato.canonical import to_json
    from hotato.contract.keys import load_key
    from hotato.contract.signing import sign as sign_bundle

    done = sign_bundle(Path(bundle), load_key(key), force=force)
    if style == "json":
        facts = {
            "id": done.contract_id,
            "path": portable(done.path),
            "key_id": done.key_id,
            "algorithm": done.kind,
        }
        emit(to_json({"tool": "hotato", "kind": "contract-sign", "schema_version": "1", **facts}))
    else:
        emit(f"signed {done.contract_id} with {done.kind} key {done.key_id}\n" + _wrote(done.path))
    return EXIT_PASS


@click.command("keygen")
@click.option("--out", type=options.TARGET, required=True, metavar="FILE", help="The private key, PEM.")
@click.option("--hmac", "shared", is_flag=True, help="Make a shared secret instead, one file for both sides.")
def keygen(out: str, shared: bool) -> int:
    """Make an Ed25519 key pair: FILE to sign with, and FILE.pub to be trusted.

    The private key is readable by you alone and has no password. Neither file replaces another.
    """
    from hotato.contract.keys import new_pair, new_secret

    target = require_file_name(out)
    public = None
    if shared:
        private, key = new_secret()
    else:
        private, public, key = new_pair()
    written = [Artifact(target, private)]
    previous = os.umask(0o777 & ~_SECRET_MODE)
    try:
        write_artifacts(written)
    finally:
        os.umask(previous)
    try:
        if public is not None:
            other = Artifact(target.with_name(target.name + ".pub"), public)
            write_artifacts([other])
            written.append(other)
        emit(f"{key.kind} key {key.id}\n" + written_lines(written))
    except BaseException:  # a key that nobody was told of would be in the way of the next try
        for one in written:
            one.path.unlink()
        raise
    return EXIT_PASS


@click.command("pack")
@click.argument("bundle", type=options.FILE, metavar="BUNDLE")
@click.option("--out", type=options.TARGET, metavar="FILE", help="The archive (BUNDLE.pack if left out).")
@options.force_option
@options.format_option("text", "json")
def pack(bundle: str, out: str | None, force: bool, style: str) -> int:
    """Write a contract as one file, the same bytes on every machine.

    A contract that is not what it was sealed as is refused.
    """
    target = None if out is None else require_file_name(out)

    from hotato.canonical import to_json
    from hotato.contract.archive import pack as pack_bundle

    done = pack_bundle(Path(bundle), target, force=force)
    if style == "json":
        facts = {
            "id": done.id,
            "path": portable(done.path),
            "members": done.members,
            "bytes": done.bytes,
            "sha256": done.sha256,
            "content_bytes": done.content_bytes,
        }
        emit(to_json({"tool": "hotato", "kind": "contract-pack", "schema_version": "1", **facts}))
    else:
        emit(
            f"packed {done.id}: {done.members} files of {done.content_bytes} bytes together, in an archive "
            f"of {done.bytes} bytes\n  sha256  {done.sha256}\n" + _wrote(done.path)
        )
    return EXIT_PASS


@click.command("unpack")
@click.argument("archive", type=options.FILE, metavar="ARCHIVE")
@click.option(
    "--out", type=options.TARGET, required=True, metavar="DIR", help="The bundle to be: a folder NAME.hotato."
)
@click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Largest size of all files.  [default: 512 MiB]",
)
@options.force_option
@options.format_option("text", "json")
def unpack(archive: str, out: str, max_bytes: int | None, force: bool, style: str) -> int:
    """Write the contract that an archive holds: whole, or nothing.

    The archive is taken for hostile. Whatever a packed contract would not hold is refused.
    """
    target = Path(require_file_name(out.rstrip(os.sep)))

    from hotato.canonical import to_json
    from hotato.contract.archive import unpack as unpack_bundle

    done = unpack_bundle(Path(archive), target, force=force, max_bytes=max_bytes or _stated_max())
    if style == "json":
        facts = {"id": done.id, "path": portable(done.path), "members": done.members, "bytes": done.bytes}
        emit(to_json({"tool": "hotato", "kind": "contract-unpack", "schema_version": "1", **facts}))
    else:
        emit(f"unpacked {done.id}: {done.members} files of {done.bytes} bytes together\n" + _wrote(done.path))
    return EXIT_PASS


def _stated_max() -> int | None:
    """The largest size that the environment states, or None."""
    from hotato.contract.archive import MAX_BYTES_VARIABLE

    stated = os.environ.get(MAX_BYTES_VARIABLE)
    if not stated:
        return None
    if not (stated.isascii() and stated.isdigit() and 0 < len(stated) <= 15 and int(stated)):
        raise UsageError(f"{MAX_BYTES_VARIABLE} is not a number of bytes", "set it to one, or unset it")
    return int(stated)


def _wrote(path: Path) -> str:
    return written_lines([Artifact(path, b"")])
