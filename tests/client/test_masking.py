"""Masking: tokens are found wherever they are, and no text makes the search for them long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.client import masking
from svc_tui.client.masking import MOST_TEXT, TOKEN, mask_text

#: The rule in one expression, which takes quadratic time on long runs.
RULE = re.compile(r"eyJ[\w-]{5,}\.[\w-]+\.[\w-]*")
PIECES = st.sampled_from(["eyJ", "eyJhbGciOi", "eyJ1234", "eyJ12345", ".", "..", "a", "-", "_", " ", "\n", "ä", '"'])


@given(st.lists(PIECES, max_size=24).map("".join))
def test_tokens_are_replaced(text: str) -> None:
    assert mask_text(text) == RULE.sub(TOKEN, text)


@pytest.mark.parametrize(
    "piece",
    ["eyJ", "eyJhbGciOi", "eyJhbGciOi.", "eyJhbGciOi..", ".", "a-", "eyJhbGciOi.a"],
)
def test_the_search_looks_at_each_character_of_a_hostile_text_once(piece: str) -> None:
    text = piece * (4 * MOST_TEXT // len(piece))
    runs = [found.span() for found in masking._RUN.finditer(text)]
    # One run, from the first character that can begin a token to the end: a search never begins again inside it.
    start = 0 if text[0] != "." else len(text)
    assert runs == ([(start, len(text))] if start < len(text) else [])


@pytest.mark.parametrize(
    ("name", "replaced"),
    [
        ("Authorization", masking.TOKEN),
        ("x-svc-app-auth", masking.APP_AUTH),
        ("x-svc-api-key", masking.API_KEY),
        ("jid_password", masking.PASSWORD),
        ("passwd", masking.PASSWORD),
        ("refreshToken", masking.TOKEN),
        ("tkn", masking.TOKEN),
        ("id_jwt", masking.TOKEN),
        ("client_secret", masking.SECRET),
        ("mfaRecoveryCode", masking.SECRET),
        ("otpAuthUrl", masking.SECRET),
        ("qrCode", masking.SECRET),
        ("Set-Cookie", masking.SECRET),
        ("private-key", masking.SECRET),
        ("passwordRule_text", None),
        ("name", None),
    ],
)
def test_a_name_with_such_an_end_is_a_secret(name: str, replaced: str | None) -> None:
    assert masking.placeholder(name) == replaced
