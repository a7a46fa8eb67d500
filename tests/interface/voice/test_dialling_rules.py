"""Custom dialling rules are tried on a number, and none of them can make the console or the server wait."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.voice.dialling import rewritten
from svc_tui.interface.voice.numbering import LONGEST_NUMBER


@pytest.mark.parametrize(
    ("expression", "replacement", "number", "result"),
    [
        (r"^0(\d+)$", "+49$1", "040123", "+4940123"),
        (r"^0(\d+)$", r"+49\1", "040123", "+4940123"),
        (r"^0(\d+)$", "+49$1", "140123", None),
        (r"^(?:00|\+)(\d{2,})$", "0$1", "004940", "04940"),
        (r"(\d{2})(\d{2})", "$2$1", "12345", "34125"),
        (r"#", "*", "1#2#3", "1*2#3"),
        (r"^9(8)?", "$1", "91", "1"),
        (r"[(*+]", "0", "*1", "01"),
    ],
)
def test_a_rule_rewrites_a_number(expression: str, replacement: str, number: str, result: str | None) -> None:
    assert rewritten(expression, replacement, number) == result


@pytest.mark.parametrize(
    "expression",
    [
        "(1+)+$",
        "(1*)*2",
        "((1?)*)*2",
        "(1|1)*2",
        "(1|11)+2",
        "(?:1?){32}2",
        "(1{1,2}){16}2",
        r"1*1*1*1*1*2",
        "1?" * 32 + "2",
        "(1|1)" * 32 + "2",
        r"(1)\1*2",
        "(?=1)*2",
        "(?P<a>1)",
        "(?i)1",
    ],
)
def test_an_expression_that_could_take_long_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match="too complex"):
        rewritten(expression, "", "1" * LONGEST_NUMBER)


@pytest.mark.parametrize("expression", ["[", "(", ")", "*", "1{2,1}"])
def test_an_invalid_expression_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match="not a regular expression"):
        rewritten(expression, "", "1")


@pytest.mark.parametrize("replacement", ["", "abc", "1 2", "9" * 33, "$0$0"])
def test_a_result_that_is_no_number_is_refused(replacement: str) -> None:
    with pytest.raises(ValueError, match="not a number"):
        rewritten("^1{20}$", replacement, "1" * 20)


def test_a_replacement_with_an_unknown_group_is_refused() -> None:
    with pytest.raises(ValueError, match="group"):
        rewritten("^1(1)", "$2", "11")


@given(st.text("01*+?()[]{},|\\d^$:", max_size=24), st.text("01$\\12", max_size=6), st.text("01*#", min_size=1))
def test_any_expression_is_fast_or_refused(expression: str, replacement: str, number: str) -> None:
    try:
        result = rewritten(expression, replacement, number[:LONGEST_NUMBER])
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert result is None or re.fullmatch(r"\+?[0-9*#]{1,32}", result)
