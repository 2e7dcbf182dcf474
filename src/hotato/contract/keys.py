"""Keys: an Ed25519 pair as PEM, or a shared secret for HMAC-SHA256 in a file that says it is one.

What a key is decides how a signature is checked, never what a signature says of itself.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hotato.canonical import read_small
from hotato.errors import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Kind = Literal["ed25519", "hmac-sha256"]
ED25519: Kind = "ed25519"
HMAC: Kind = "hmac-sha256"

KEYS_VARIABLE = "HOTATO_TRUSTED_KEYS"
"""Files or folders of trusted keys, separated as in PATH."""

SECRET_BYTES = 32
"""A shared secret: the length of the digest, as RFC 2104 advises."""

SECRET_HEADER = b"hotato-hmac-sha256-v1"
"""First line of a file with a shared secret; the second is its bytes in hex. A public key, which anybody may
have, can never be taken for one."""

_LEAST_DISTINCT = 16
"""Fewer different bytes among the 32 of a secret, or differences from one to the next, were not drawn at
random: 32 random bytes have 30 on average."""

_LARGEST_BYTES = 1 << 16
_PEM = b"-----BEGIN "
_SECRET_FORM = re.compile(SECRET_HEADER + rb"\r?\n([0-9A-Fa-f]{%d})(?:\r?\n)?" % (2 * SECRET_BYTES))
_MAKE_ONE = "make one with hotato contract keygen"
_ID_OF_SECRET = b"hotato key id"


@dataclass(frozen=True, slots=True)
class Key:
    """A key that signatures are checked with, and that may be able to make them.

    Attributes:
        kind: `ed25519` or `hmac-sha256`.
        id: sha256 (hex) of the public key's DER form; of a secret, an HMAC that does not give it away.
        material: the raw public key, or the secret.
        private: the raw private key of a pair, or None.
    """

    kind: Kind
    id: str
    material: bytes = field(repr=False)
    private: bytes | None = field(default=None, repr=False)

    def sign(self, message: bytes) -> bytes:
        """The signature over a message; the same for the same message.

        Raises:
            Refusal: `not_a_private_key`.
        """
        if self.kind == HMAC:
            return hmac.digest(self.material, message, "sha256")
        if self.private is None:
            raise Refusal(
                "not_a_private_key", "the key is a public one, which cannot sign", "name the private key"
            )
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.private).sign(message)

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether a signature over a message is this key's."""
        if self.kind == HMAC:
            return hmac.compare_digest(hmac.digest(self.material, message, "sha256"), signature)
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.material).verify(signature, message)
        except InvalidSignature:
            return False
        return True


def load_key(path: str | os.PathLike[str]) -> Key:
    """The key in a file: an Ed25519 key in PEM, private or public, or a shared secret of `new_secret`'s form.

    Raises:
        Refusal: `bad_key`, and see `canonical.read_small`. The content is never in the message.
    """
    data = read_small(path, "key", _LARGEST_BYTES)
    if data.startswith(SECRET_HEADER):
        return _secret(data, path)
    if data.lstrip().startswith(_PEM):
        return _pair(data, os.fspath(path))
    raise _bad(
        path,
        f"is no key: neither PEM nor a shared secret, which begins with the line {SECRET_HEADER.decode()}",
        f"{_MAKE_ONE} (--hmac for a shared secret); raw bytes are not taken: "
        "write that line and their 64 hex digits below it",
    )


def trusted_keys(paths: Iterable[str | os.PathLike[str]]) -> tuple[Key, ...]:
    """The keys in files and in folders (every visible entry there), each once, in the order of their ids.

    Raises:
        Refusal: see `load_key`: of anything in a folder that is no key, too; a folder without a key.
    """
    found: dict[str, Key] = {}
    for path in paths:
        for file in _files(Path(path)):
            key = load_key(file)
            found[key.id] = key
    return tuple(found[key_id] for key_id in sorted(found))


def named_in_environment() -> list[str]:
    """The files and folders that `HOTATO_TRUSTED_KEYS` names."""
    return [part for part in os.environ.get(KEYS_VARIABLE, "").split(os.pathsep) if part]


def new_pair() -> tuple[bytes, bytes, Key]:
    """A new Ed25519 pair: the private key and the public key as PEM, and the key itself."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    secret = private.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    public = private.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    return secret, public, _key_of(private.public_key(), private)


def new_secret() -> tuple[bytes, Key]:
    """A new shared secret: the text of its file, and the key itself."""
    material = secrets.token_bytes(SECRET_BYTES)
    return SECRET_HEADER + b"\n" + material.hex().encode() + b"\n", _key_of_secret(material)


def _secret(data: bytes, path: str | os.PathLike[str]) -> Key:
    """The shared secret in a file of that form."""
    text = _SECRET_FORM.fullmatch(data)
    if text is None:
        raise _bad(path, f"is no shared secret: below its first line stand {2 * SECRET_BYTES} hex digits")
    material = bytes.fromhex(text[1].decode())
    steps = {(one - other) % 256 for one, other in pairwise(material)}
    if min(len(set(material)), len(steps)) < _LEAST_DISTINCT or material.isascii():
        raise _bad(path, "holds a secret that can be guessed", f"{_MAKE_ONE} --hmac")
    return _key_of_secret(material)


def _key_of_secret(material: bytes) -> Key:
    return Key(HMAC, hmac.digest(material, _ID_OF_SECRET, "sha256").hex(), material)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if not file.name.startswith("."))
    if not files:
        raise Refusal("no_keys", f"'{path}' holds no key", "name a key file, or a folder of them")
    return files


def _pair(data: bytes, path: str) -> Key:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

    if data.count(_PEM) != 1:
        raise _bad(path, "holds several PEM blocks", "keep each key in a file of its own")
    loaded: Any
    try:
        if b"PRIVATE KEY" in data:
            loaded = serialization.load_pem_private_key(data, password=None)
        else:
            loaded = serialization.load_pem_public_key(data)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise _bad(path, "is no PEM key that can be read (a password is not asked for)") from None
    if isinstance(loaded, Ed25519PrivateKey):
        return _key_of(loaded.public_key(), loaded)
    if isinstance(loaded, Ed25519PublicKey):
        return _key_of(loaded, None)
    raise _bad(path, "is a PEM key of another kind than Ed25519")


def _key_of(public: Any, private: Ed25519PrivateKey | None) -> Key:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    raw = public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return Key(
        ED25519,
        hashlib.sha256(der).hexdigest(),
        raw,
        None if private is None else private.private_bytes_raw(),
    )


def _bad(path: str | os.PathLike[str], why: str, remedy: str = _MAKE_ONE) -> Refusal:
    return Refusal("bad_key", f"'{os.fspath(path)}' {why}", remedy)
