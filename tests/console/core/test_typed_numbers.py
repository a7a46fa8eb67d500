"""What a language writes is read so where it is typed, or refused there, in the language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal

import pytest

from svc_tui import language
from svc_tui.console.core.form import Form
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.fields import field
from svc_tui.interface.problems import problem_of
from svc_tui.interface.records import Record
from svc_tui.language import number_text, read_number


class Typed(Record):
    """A record with a number and a day."""

    licences: int | None = field(None, ge=1, le=1_000_000)
    share: float | None = field(None)
    ends: date | None = field(None)
    until: datetime | None = field(None)


@pytest.fixture
def german() -> Iterator[None]:
    language.use("de")
    yield
    language.use("en")


def typed(wire: str, text: str) -> object:
    form = Form(Typed, frozenset())
    form.type(wire, text)
    return form.problem(wire) or form.body()[wire]


def test_german_numbers_are_read_as_a_german_writes_them(german: None) -> None:
    assert [typed("licences", text) for text in ("1.000", "12.345", "1000", " 7 ", "1.000,0")] == [
        *(1000, 12345, 1000, 7, 1000),
    ]
    assert typed("share", "1.234,5") == 1234.5
    assert typed("ends", "31.03.2027") == "2027-03-31"


@pytest.mark.parametrize("text", ["1.5", "1,5", "1,000.00", "1.00", "10.00.000", "1 Tsd.", "1_000", "1e3"])
def test_what_is_no_german_number_is_refused_in_german_where_it_is_typed(german: None, text: str) -> None:
    assert typed("licences", text) == language._("must be a whole number") != "must be a whole number"


def test_english_numbers_are_read_as_they_are_written_in_english() -> None:
    assert [typed("licences", text) for text in ("1,000", "1000", "1,000.0")] == [1000, 1000, 1000]
    # A German thousand is no English number of licences, and never one.
    assert typed("licences", "1.000,5") == "must be a whole number"
    assert typed("licences", "1,00") == "must be a whole number"
    assert typed("ends", "31.03.2027") != "2027-03-31"
    assert typed("ends", "2027-03-31") == "2027-03-31"


@pytest.mark.parametrize("name", ["en", "de"])
def test_every_number_that_is_written_is_read_back(name: str) -> None:
    language.use(name)
    try:
        for value in (0, 7, 999, 1000, 1234567, -1000, Decimal("1234.5"), Decimal("0.05"), Decimal("-12345.678")):
            assert read_number(number_text(value)) == Decimal(value)
        assert written(1234.5).replace(".", ",") == "1234,5"
    finally:
        language.use("en")


def test_refusals_of_numbers_that_no_type_can_hold_have_a_sentence_of_their_own(german: None) -> None:
    assert problem_of(Typed, "licences", float("nan")) == language._("must be a whole number")
    assert "Input" not in problem_of(Typed, "licences", 10**5000)


@pytest.mark.parametrize(("wire", "text"), [("ends", "2027"), ("ends", "0"), ("until", "2027"), ("until", "31.3.2027")])
def test_digits_are_no_seconds_since_1970(wire: str, text: str) -> None:
    assert "must be a date" in str(typed(wire, text))
