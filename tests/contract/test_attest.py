"""What a bundle is sealed with, and whose word it is."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from hotato.contract import layout
from hotato.contract.bundle import read_bundle
from hotato.contract.dsse import encoded
from hotato.contract.keys import SECRET_HEADER, load_key, new_pair, new_secret, trusted_keys
from hotato.contract.members import survey
from hotato.contract.signing import PAYLOAD_TYPE, authenticate, sign
from hotato.errors import Refusal

SECRET = SECRET_HEADER + b"\n" + hashlib.sha256(b"a secret of the tests").hexdigest().encode() + b"\n"
OTHER = SECRET_HEADER + b"\n" + hashlib.sha256(b"another").hexdigest().encode() + b"\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """A private and a public key as files."""
    private, public, _ = new_pair()
    paths = tmp_path / "key.pem", tmp_path / "key.pub.pem"
    for path, data in zip(paths, (private, public), strict=True):
        path.write_bytes(data)
    return paths


def word(folder: Path, *trusted: Path) -> tuple[str, bool]:
    """Whose word a bundle is, and whether its signature is wrong."""
    found = authenticate(folder, survey(folder), read_bundle(folder).contract, trusted_keys(trusted))
    return found.word, bool(found.wrong)


def test_the_encoding_is_the_published_one() -> None:
    """The example of the DSSE protocol, with its published ECDSA signature over the encoding."""
    message = encoded("http://example.com/HelloWorld", b"hello world")
    assert message == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    public = ec.EllipticCurvePublicNumbers(
        46950820868899156662930047687818585632848591499744589407958293238635476079160,
        5640078356564379163099075877009565129882514886557779369047442380624545832820,
        ec.SECP256R1(),
    ).public_key()
    raw = base64.b64decode(
        "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=="
    )
    signature = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(signature, message, ec.ECDSA(hashes.SHA256()))


def test_lengths_are_counted_in_bytes() -> None:
    assert encoded("\u00e4", "\u20ac".encode()) == b"DSSEv1 2 \xc3\xa4 3 \xe2\x82\xac"


def test_another_library_verifies_our_signature(build, pair) -> None:
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import SSlibKey

    folder = build("a")
    key_id = sign(folder, load_key(pair[0])).key_id
    public = serialization.load_pem_public_key(pair[1].read_bytes())
    theirs = SSlibKey.from_crypto(public, keyid=key_id)
    envelope = Envelope.from_dict(json.loads((folder / layout.SIGNATURE).read_bytes()))
    assert list(envelope.verify([theirs], 1)) == [key_id]
    envelope.payload += b" "
    with pytest.raises(Exception, match=r"(?i)threshold|signature"):
        envelope.verify([theirs], 1)


def test_the_statement_names_the_contract_and_the_manifest(build, pair) -> None:
    folder = build("a")
    sign(folder, load_key(pair[0]))
    envelope = json.loads((folder / layout.SIGNATURE).read_bytes())
    statement = json.loads(base64.b64decode(envelope["payload"]))
    assert envelope["payloadType"] == PAYLOAD_TYPE == "application/vnd.in-toto+json"
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    contract = json.loads((folder / layout.CONTRACT).read_bytes())
    assert statement["subject"] == [
        {"name": "a", "digest": {"sha256": contract["attestation"]["canonical_digest"]}},
        {
            "name": layout.MANIFEST,
            "digest": {"sha256": hashlib.sha256((folder / layout.MANIFEST).read_bytes()).hexdigest()},
        },
    ]


def test_three_words_for_three_things(build, pair, tmp_path) -> None:
    folder = build("a")
    private, public = pair
    other = tmp_path / "other.pem"
    other.write_bytes(new_pair()[1])
    assert word(folder, public) == ("unsigned", False)
    sign(folder, load_key(private))
    assert word(folder, public) == ("signed", False)
    assert word(folder, private) == ("signed", False)
    assert word(folder, other) == ("untrusted-key", False)
    assert word(folder) == ("untrusted-key", False)
    assert word(folder, other, public) == ("signed", False)


def test_a_shared_secret_signs_as_well(build, tmp_path) -> None:
    folder, secret = build("a"), tmp_path / "secret"
    secret.write_bytes(SECRET)
    sign(folder, load_key(secret))
    assert word(folder, secret) == ("signed", False)
    secret.write_bytes(OTHER)
    assert word(folder, secret) == ("untrusted-key", False)


def test_a_public_key_is_no_shared_secret(build, pair, tmp_path) -> None:
    """Whoever has the public key could otherwise sign with it, as with a secret."""
    folder, (_, public) = build("a"), pair
    with pytest.raises(Refusal, match="public one"):
        sign(folder, load_key(public))
    assert not (folder / layout.SIGNATURE).exists()


def test_a_signature_over_another_bundle_is_wrong(build, pair) -> None:
    one, other = build("a"), build("b")
    sign(one, load_key(pair[0]))
    (other / layout.SIGNATURE).write_bytes((one / layout.SIGNATURE).read_bytes())
    assert word(other, pair[1]) == ("untrusted-key", True)
    assert word(other) == ("untrusted-key", True)


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e | {"signatures": [e["signatures"][0] | {"sig": base64.b64encode(b"x" * 64).decode()}]},
        lambda e: e | {"signatures": []},
        lambda e: e | {"payloadType": "text/plain"},
        lambda e: e | {"payload": e["payload"][:-4] + "AAAA"},
        lambda e: e | {"payload": "?"},
    ],
    ids=["signature", "none", "type", "payload", "base64"],
)
def test_a_signature_that_does_not_verify_is_wrong(build, pair, change) -> None:
    folder = build("a")
    sign(folder, load_key(pair[0]))
    path = folder / layout.SIGNATURE
    path.write_text(json.dumps(change(json.loads(path.read_bytes()))))
    assert word(folder, pair[1]) == ("untrusted-key", True)


def test_signing_twice_gives_the_same_bytes(build, pair) -> None:
    folder = build("a")
    sign(folder, load_key(pair[0]))
    first = (folder / layout.SIGNATURE).read_bytes()
    sign(folder, load_key(pair[0]))
    assert (folder / layout.SIGNATURE).read_bytes() == first


def test_another_signature_is_replaced_only_when_asked(build, pair, tmp_path) -> None:
    folder, secret = build("a"), tmp_path / "secret"
    secret.write_bytes(SECRET)
    sign(folder, load_key(pair[0]))
    with pytest.raises(Refusal, match="exists"):
        sign(folder, load_key(secret))
    sign(folder, load_key(secret), force=True)
    assert word(folder, secret) == ("signed", False)


def test_what_was_changed_is_not_signed(build, pair) -> None:
    folder = build("a")
    (folder / layout.FRAMES).write_bytes(b"{}\n")
    with pytest.raises(Refusal, match=r"evidence/frames\.jsonl: changed"):
        sign(folder, load_key(pair[0]))


@pytest.mark.parametrize(
    "content", [b"", b"short", b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"]
)
def test_what_is_no_key_is_refused_without_showing_it(tmp_path, content) -> None:
    path = tmp_path / "k"
    path.write_bytes(content)
    with pytest.raises(Refusal) as caught:
        load_key(path)
    assert caught.value.code == "bad_key"
    assert "short" not in caught.value.message.replace(str(path), "").replace("shared", "")


def test_a_key_of_another_kind_is_refused(tmp_path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    path = tmp_path / "k.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    with pytest.raises(Refusal, match="another kind than Ed25519"):
        load_key(path)


def test_trusted_keys_come_from_files_and_folders(tmp_path, pair) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    with pytest.raises(Refusal, match="holds no key"):
        trusted_keys([keys])
    (keys / "a.pem").write_bytes(pair[1].read_bytes())
    (keys / "b").write_bytes(SECRET)
    (keys / ".hidden").write_bytes(b"")
    assert {key.kind for key in trusted_keys([keys, pair[0]])} == {"ed25519", "hmac-sha256"}
    assert len(trusted_keys([keys, pair[0]])) == 2


def test_our_own_verification_agrees_with_plain_ed25519(pair) -> None:
    key = load_key(pair[0])
    loaded = serialization.load_pem_private_key(pair[0].read_bytes(), None)
    assert isinstance(loaded, Ed25519PrivateKey)
    assert key.sign(b"message") == loaded.sign(b"message")
    assert key.verifies(b"message", key.sign(b"message"))
    assert not key.verifies(b"other", key.sign(b"message"))


@pytest.mark.parametrize("form", ["der", "openssh", "utf-16", "raw", "readme", "in text"])
def test_a_public_key_in_no_form_is_a_secret(tmp_path, pair, form) -> None:
    """Anybody has it: whoever signed with it as a secret would be trusted."""
    text = pair[1].read_bytes()
    key = serialization.load_pem_public_key(text)
    encoding, public = serialization.Encoding, serialization.PublicFormat
    data = {
        "der": lambda: key.public_bytes(encoding.DER, public.SubjectPublicKeyInfo),
        "openssh": lambda: key.public_bytes(encoding.OpenSSH, public.OpenSSH) + b" release@example",
        "raw": lambda: key.public_bytes(encoding.Raw, public.Raw),
        "utf-16": lambda: text.decode().encode("utf-16"),
        "readme": lambda: b"These are the keys of our releases. Ask the release manager for more.\n",
        "in text": lambda: b"our key:\n" + text,
    }[form]()
    keys = tmp_path / "keys"
    keys.mkdir()
    (keys / "release.pub").write_bytes(data)
    for load in (lambda: load_key(keys / "release.pub"), lambda: trusted_keys([keys])):
        with pytest.raises(Refusal, match=r"release\.pub' is no key"):
            load()


@pytest.mark.parametrize(
    "secret",
    [bytes(32), b"ab" * 16, bytes(range(32)), bytes(range(0, 224, 7)), b"correct horse battery staple 123"],
)
def test_a_secret_that_can_be_guessed_is_refused(tmp_path, secret) -> None:
    path = tmp_path / "k"
    path.write_bytes(SECRET_HEADER + b"\n" + secret.hex().encode() + b"\n")
    with pytest.raises(Refusal, match="can be guessed"):
        load_key(path)


@pytest.mark.parametrize("tail", [b"", b"\n" + b"0" * 63, b"\n" + b"g" * 64, b"\n" + b"a1" * 33])
def test_a_secret_of_another_length_is_refused(tmp_path, tail) -> None:
    path = tmp_path / "k"
    path.write_bytes(SECRET_HEADER + tail)
    with pytest.raises(Refusal, match="64 hex digits"):
        load_key(path)


def test_two_keys_in_one_file_are_refused(tmp_path, pair) -> None:
    path = tmp_path / "k"
    path.write_bytes(pair[1].read_bytes() * 2)
    with pytest.raises(Refusal, match="several PEM blocks"):
        load_key(path)


def test_a_new_secret_reads_back(tmp_path) -> None:
    text, key = new_secret()
    (tmp_path / "k").write_bytes(text)
    assert load_key(tmp_path / "k") == key
