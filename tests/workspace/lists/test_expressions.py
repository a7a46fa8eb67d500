"""Expressions of a filter: the usual syntax, clear messages, and an end whatever is typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.workspace.lists import expressions
from svc_tui.workspace.lists.expressions import MOST_CHARACTERS, Expression, ExpressionError, TooSlow


@pytest.mark.parametrize(
    ("expression", "text", "found"),
    [
        ("crm", "my crm client", True),
        ("^crm", "my crm client", False),
        ("client$", "my crm client", True),
        (r"\bcrm\b", "my crm client", True),
        (r"\bcrm\b", "mycrm client", False),
        (r"\Brm", "crm", True),
        ("CRM", "crm", True),
        ("[A-C]rm", "crm", True),
        ("[^a-z ]", "crm 7", True),
        ("[]x]", "]", True),
        (r"[\d-]+$", "2026-01", True),
        (r"a{2,3}b", "xaab", True),
        (r"^a{3}$", "aa", False),
        (r"^a{,1}$", "", True),
        ("a{x", "a{x", True),
        ("^(?:web|bot)-?\\d+$", "bot12", True),
        ("^(web|bot)$", "webbot", False),
        ("(a*)*b", "aaab", True),
        ("straße", "strasse", True),
        (r"\/api\/", "/api/v1", True),
        ("", "anything", True),
        ("a|", "b", True),
        (r"\S+@\S+\.example", "ana@northwind.example", True),
        ("colou?r", "color", True),
        ("a.*?c", "abbc", True),
    ],
)
def test_expressions_are_searched_in_texts(expression: str, text: str, found: bool) -> None:
    assert Expression(expression).found_in(text) is found


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("crm(", "a bracket is not closed"),
        ("crm)", "a closing bracket has no opening bracket"),
        ("[a", "a bracket is not closed"),
        ("*a", "there is nothing to repeat"),
        ("a\\", "bad escape (end of pattern)"),
        ("[z-a]", "a range is empty"),
        ("a{3,2}", "a range is empty"),
        ("(" * 30, "a bracket is not closed"),
        ("a" * (MOST_CHARACTERS + 1), f"it is longer than {MOST_CHARACTERS} characters"),
    ],
)
def test_a_bad_expression_has_its_reason(expression: str, reason: str) -> None:
    with pytest.raises(ExpressionError) as error:
        Expression(expression)
    assert str(error.value) == reason


@pytest.mark.parametrize("hostile", ["(a+)+$", "(.*a){20}b"])
def test_a_hostile_expression_is_ended(hostile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the limit, it would be searched longer than the universe is old."""
    monkeypatch.setattr(expressions, "SECONDS", 0.02)
    with pytest.raises(TooSlow, match="takes too long"):
        Expression(hostile).found_in("a" * 5_000 + "!")


parts = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\w", r"\s", "(a|b)", "(?:ab)", "(b|)"])
times = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,2}", "+?"])
pieces = st.tuples(parts, times).map("".join) | st.sampled_from(["^", "$", r"\b", "|"])


@given(st.lists(pieces, max_size=6).map("".join), st.text("ab _", max_size=8))
def test_expressions_find_the_same_as_python(expression: str, text: str) -> None:
    expected = re.search(expression, text, re.DOTALL)
    assert Expression(expression).found_in(text) is (expected is not None)


@given(st.text(max_size=30), st.text(max_size=30))
def test_every_text_is_a_valid_expression_or_has_a_reason(expression: str, text: str) -> None:
    try:
        Expression(expression).found_in(text)
    except ExpressionError as error:
        assert str(error)
