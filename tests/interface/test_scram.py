"""SCRAM against the examples of RFC 5802 and RFC 7677."""

from __future__ import annotations

import base64

import pytest

from svc_tui.interface import messaging


@pytest.mark.parametrize(
    ("hash", "salt", "spoken", "proof", "signature"),
    [
        (
            "sha1",
            "QSXCR+Q6sek8bf92",
            "n=user,r=fyko+d2lbbFgONRv9qkxdawL,"
            "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096,"
            "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j",
            "v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
            "rmF9pqV8S7suAoZWja4dJRkFsKQ=",
        ),
        (
            "sha256",
            "W22ZaJ0SNY7soEsUEjb6gQ==",
            "n=user,r=rOprNGfwEbeRWgbNEkqO,"
            "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,"
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
            "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
            "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
        ),
    ],
)
def test_the_examples_of_the_standards(hash: str, salt: str, spoken: str, proof: str, signature: str) -> None:
    keys = messaging.keys(hash, "pencil", base64.b64decode(salt), 4096)
    assert base64.b64encode(keys.proof(spoken)).decode() == proof
    assert base64.b64encode(keys.signature(spoken)).decode() == signature


def test_a_name_with_separators_is_escaped_and_read_again() -> None:
    assert messaging.escaped("a,b=c") == "a=2Cb=3Dc"
    assert messaging.unescaped("a=2Cb=3Dc") == "a,b=c"


@pytest.mark.parametrize("message", ["", "r", "rr=1", "r=1,r=2"])
def test_other_texts_are_refused(message: str) -> None:
    with pytest.raises(ValueError, match="not a SCRAM message"):
        messaging.fields(message)
