"""DSSE, the envelope that supply-chain tools put around what they sign.

Source: the DSSE protocol, version 1.0 (secure-systems-lab/dsse). What is signed is not the payload but its
pre-authentication encoding, which binds the payload's type to it.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

import msgspec
from msgspec import Meta

from hotato.canonical import to_json
from hotato.contract.integrity import json_of
from hotato.contract.keys import Key
from hotato.errors import Refusal

_URL_SAFE = str.maketrans("-_", "+/")
MOST_SIGNATURES = 16


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """One signature over the encoding of the payload.

    Attributes:
        keyid: a hint which key made it; it is not signed itself.
        sig: the signature, base64.
    """

    keyid: str = ""
    sig: str


class Envelope(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A signed payload.

    Attributes:
        payload: its bytes, base64.
        payload_type: what it is, a URI or a media type.
        signatures: at least one.
    """

    payload: str
    payload_type: str
    signatures: Annotated[tuple[Signature, ...], Meta(min_length=1, max_length=MOST_SIGNATURES)]


def encoded(payload_type: str, payload: bytes) -> bytes:
    """The pre-authentication encoding: `DSSEv1 LEN(type) type LEN(payload) payload`, lengths in bytes."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def signed_envelope(payload_type: str, payload: bytes, key: Key) -> bytes:
    """The JSON of an envelope with the signature of one key."""
    signature = Signature(keyid=key.id, sig=_text(key.sign(encoded(payload_type, payload))))
    envelope = Envelope(payload=_text(payload), payload_type=payload_type, signatures=(signature,))
    return to_json(envelope).encode()


def read_envelope(data: bytes, what: str) -> Envelope:
    """An envelope from its JSON.

    Raises:
        Refusal: `corrupt`, `repeated_key`.
    """
    envelope: Envelope = json_of(data, what, Envelope)
    return envelope


def from_base64(text: str, what: str) -> bytes:
    """Bytes from base64, standard or URL-safe, as the protocol lets a writer choose.

    Raises:
        Refusal: `corrupt`.
    """
    try:
        return base64.b64decode(text.translate(_URL_SAFE).encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise Refusal("corrupt", f"{what} is not base64", "sign the bundle again") from None


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
