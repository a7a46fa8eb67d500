"""An edit changes only what was touched: opening and saving without a change sends nothing.

Values are edited as they are stored. What is drawn depends on the language, the time zone and the terminal, and is
never written back.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator
from textual.document._document import Document as AreaText

from svc_tui import language
from svc_tui.console.core.edited_lines import entries, entries_as_text, pairs, pairs_as_text
from svc_tui.console.core.form import TYPED, Form
from svc_tui.console.core.table_rows import EditedRows, is_table
from svc_tui.console.dialogs.text_editor import KeptBreaks, TextEditor
from svc_tui.console.editing.field_editors import as_lines, read_lines
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.catalogue import body_of, operations
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.voice.week import WeekEdit
from tests.console.dialogs.test_dialog_keys import Console

#: Dates that screens write in local form, breaks that editors normalise, what cannot be seen, and other notations.
HOSTILE = (
    *("2027-03-31", "2026-11-20T09:30:00.000Z", "2026-11-20T09:30:00+09:00", "0001-01-01T00:00:00Z", "1.000", "1,5"),
    *("a\nb", "a\r\nb", "a\rb", "a\u2028b\u2029c\x85d\x0b\x0ce", "one\ntwo\r\nthree\r", "\n", "\r\n", "tab\there"),
    *(
        " before",
        "behind ",
        "",
        " ",
        "\u200bzero",
        "نمی\u200cخواهم",
        "👨\u200d👩\u200d👧",
        "\u202eback",
        "e\u0308",
        "\ue000\U000f0000",
    ),
    *('"quoted"', '"', '""', '"a"="b"', "a=b", "=", "—", "yes", "ja", "true", "null", "12", "␊", "·U+200C·", "\x1b[2J"),
    *("…", "\\n", "\\", '{"a": 1}', "[]", "[@click=app.quit]x[/]", "\ufeffmark", "\ud800", "x" * 600),
)
TEXTS = st.sampled_from(HOSTILE) | st.text(st.characters(), max_size=12)


@pytest.fixture(params=[("en", "UTC"), ("de", "Asia/Tokyo"), ("en", "Pacific/Auckland"), ("de", "Asia/Kathmandu")])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A language and a time zone of the user."""
    name, zone = request.param
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    language.use(name)
    yield
    language.use("en")
    monkeypatch.undo()
    time.tzset()


def through_the_area(text: str) -> str:
    """What the editor of lines gives back when nothing is typed."""
    kept = KeptBreaks(text)
    return kept.stored(AreaText(kept.shown).text)


# --- lines ---------------------------------------------------------------------------------------------------------


@given(st.dictionaries(TEXTS, TEXTS | st.integers() | st.booleans() | st.none() | st.lists(st.integers())))
def test_an_object_is_read_from_its_lines_as_it_is_stored(value: dict[str, Any]) -> None:
    assert pairs(through_the_area(pairs_as_text(value)), value) == value
    assert len(pairs_as_text(value).splitlines()) == len(value)


@given(st.lists(TEXTS, min_size=1))
def test_a_list_is_read_from_its_lines_as_it_is_stored(value: list[str]) -> None:
    assert entries(through_the_area(entries_as_text(value)), value) == value


@given(TEXTS, TEXTS)
def test_a_text_of_several_lines_keeps_the_breaks_of_the_lines_that_are_not_edited(first: str, second: str) -> None:
    text = f"{first}\n{second}"
    assert through_the_area(text) == text
    kept = KeptBreaks(text)
    area = AreaText(kept.shown)
    area.replace_range((0, 0), (0, 0), "x")
    assert kept.stored(area.text) == f"x{text}"


def test_one_entry_is_edited_and_the_others_stay(place: None) -> None:
    """The customData of the report: a day, a time with its zone, a line break, a joiner."""
    stored = {"a": "2027-03-31", "b": "2026-11-20T09:30:00+00:00", "c": "one\ntwo", "d": "نمی\u200cخواهم", "n": "4711"}
    assert written(stored["c"]) != stored["c"]
    edited = pairs(pairs_as_text(stored).replace("4711", "4712"), stored)
    assert edited == {**stored, "n": "4712"}


def test_a_text_that_a_line_cannot_hold_is_in_quotes_and_can_be_edited_there() -> None:
    assert pairs_as_text({"note": "first\nsecond", "a=b": "c", "plain": 'say "hi"'}) == (
        'note="first\\nsecond"\n"a=b"=c\nplain=say "hi"'
    )
    assert pairs('note="first\\nthird"') == {"note": "first\nthird"}
    assert entries('"a\\nb"\nc') == ["a\nb", "c"]
    # What only looks like it is the text itself.
    assert pairs('note="a" and "b"') == {"note": '"a" and "b"'}


def test_a_number_stays_a_number_and_a_text_with_digits_a_text() -> None:
    assert pairs("limit=6\ncode=12\nnew=7", {"limit": 5, "code": "11"}) == {"limit": 6, "code": "12", "new": "7"}


async def test_the_editor_gives_back_the_text_that_it_was_given() -> None:
    """On the real widget, which has line breaks of its own."""
    app = Console({})
    async with app.run_test() as pilot:
        for text in HOSTILE:
            await app.push_screen(box := TextEditor("Text", text))
            await pilot.pause()
            assert (box.text, box.loss) == (text, "")
            box.dismiss(None)
            await pilot.pause()


# --- records -------------------------------------------------------------------------------------------------------

UPDATES = sorted(each.id for each in operations() if each.method in ("PUT", "PATCH") and each.body is not None)


def value_of(spec: FieldSpec) -> st.SearchStrategy[Any]:
    """What a service could have stored in a field, whether it keeps to the declaration or not."""
    model = spec.record
    match spec.kind:
        case "texts" | "choices":
            return st.lists(TEXTS, max_size=3)
        case "objects":
            return st.lists(record_of(model) if model else st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=3)
        case "object":
            return record_of(model) if model else st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=4)
        case "integer":
            return st.integers(-(10**6), 10**6)
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case _:
            return TEXTS


def record_of(model: type[Record]) -> st.SearchStrategy[dict[str, Any]]:
    """A stored record, also with fields that are not declared, or with none of a field."""
    known = {spec.wire: st.none() | value_of(spec) for spec in fields_of(model)}
    return st.fixed_dictionaries({}, optional={**known, "newerField": TEXTS})


def open_and_save(form: Form, spec: FieldSpec) -> None:
    """What the editor of a field does when nothing is changed in it, and when something is and is taken back."""
    value, model = form.values.get(spec.wire), spec.record
    if spec.kind in TYPED:
        typed = form.typed(spec.wire)
        form.type(spec.wire, f"{typed}x")
        form.type(spec.wire, typed)
    elif spec.kind == "objects" and is_table(model):
        assert model is not None
        rows = EditedRows(model, value or [])
        for at in range(len(rows)):
            for each in rows.specs:
                rows.type(at, each.wire, f"{rows.typed(at, each.wire)}x")
                rows.type(at, each.wire, rows.typed(at, each.wire)[:-1])
        rows.drop_empty()
        assert not rows.changed, rows.value()
    elif spec.kind == "object" and model is not None:
        inner = Form(model, frozenset(), value or {}, keep_all=True)
        for each in fields_of(model):
            open_and_save(inner, each)
        assert not inner.dirty
    if spec.kind in ("texts", "object", "objects") or spec.facet.multiline:
        text = as_lines(form, spec)
        assert through_the_area(text) == text
        found, problem = read_lines(spec, text, value)
        assert not problem
        assert found == value or not value or not text.strip(), (spec.wire, text)


@pytest.mark.parametrize("operation", UPDATES)
def test_opening_and_saving_without_a_change_sends_nothing(operation: str, place: None) -> None:
    model = body_of(operation)

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
    @given(record_of(model))
    def check(stored: dict[str, Any]) -> None:
        form = Form(model, frozenset(), {"id": "1", **stored})
        for spec in form.specs:
            open_and_save(form, spec)
        assert form.body() == {}
        assert not form.dirty

    check()


class Line(Record):
    """A record with a text that has one notation."""

    number: Annotated[str, AfterValidator(str.strip)] | None = field(None, help="A number")
    open: bool | None = field(None, help="Whether it is open")


def test_a_field_that_is_edited_leaves_the_notation_of_the_others_in_its_object() -> None:
    """A text is put in its notation when it is typed, not when its neighbour is."""
    form = Form(Line, frozenset(), {"number": " 12 ", "open": True}, keep_all=True)
    form.set("open", False)
    assert form.body() == {"number": " 12 ", "open": False}
    form.type("number", " 13 ")
    assert form.body() == {"number": "13", "open": False}


def test_rows_that_are_stored_empty_or_without_a_default_stay_so() -> None:
    model = next(spec for spec in fields_of(body_of("update_cloudpbx")) if spec.wire == "numberingPlan").record
    assert model is not None
    stored: list[dict[str, Any]] = [{}, {"prefix": "2", "newer": " x "}, {"prefix": ""}]
    rows = EditedRows(model, stored)
    rows.add(3)
    rows.drop_empty()
    assert rows.value() == stored
    rows.type(1, "prefix", "3")
    assert rows.value() == [{}, {"prefix": "3", "newer": " x "}, {"prefix": ""}]


def test_hours_that_are_opened_and_saved_stay_as_they_are_stored() -> None:
    stored = {
        "openhours": [[["9:00", "12:0"]], [], [], [], [], [], []],
        "exceptions": [{"month": 4, "mday": 1, "open": 0}],
    }
    week = WeekEdit(stored)
    for index in range(7):
        week.set(index, week.periods(index))
    assert week.value() == stored
