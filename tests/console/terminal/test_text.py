"""Text from the service can be read, and can do nothing else."""

import ast
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from svc_tui import console
from svc_tui.console.terminal.text import ascii_for, cut, fit, safe_lines, safe_text, to_ascii, width

FORBIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co"}
RISKY = (
    "\x00\x07\x08\t\n\r\x1b\x7f\x80\x85\x90\x9b\x9c\x9d\xad\u061c\u200b\u200d\u200e\u202e\u2028\u2066\u2069\ufeff\ufe0f"
)
anything = st.text(
    st.one_of(st.characters(), st.sampled_from(RISKY + "a日e\u0301\u0e31☺🎉\U000e0041\U000e0101\ud800\udfff")),
    max_size=40,
)


@settings(max_examples=500)
@given(anything)
@example("\ud83d")
@example("\u0301")
@example("☺\ufe0f")
@example("\u1160\u1160")
def test_drawn_text_neither_controls_a_terminal_nor_hides(text: str) -> None:
    drawn = safe_text(text).text
    assert not [character for character in drawn if unicodedata.category(character) in FORBIDDEN_CATEGORIES]
    drawn.encode()
    assert width(drawn) == cell_len(drawn)
    assert safe_text(drawn).text == drawn
    ascii_only = safe_text(text, unicode=False).text
    assert ascii_only.isascii()
    assert ascii_only.isprintable()
    assert safe_text(text, unicode=False).hostile == safe_text(text).hostile


@given(anything, st.integers(0, 30), st.sampled_from(["left", "right"]))
def test_text_fits_its_cells_exactly(text: str, cells: int, align: str) -> None:
    drawn = safe_text(text).text
    assert width(cut(drawn, cells)) <= cells
    assert width(fit(drawn, cells, "left" if align == "left" else "right")) == cells


@given(st.text(st.characters(categories=["Lu", "Ll", "Nd", "Po", "Sm", "Sc"]), max_size=30))
def test_ordinary_text_is_drawn_exactly(text: str) -> None:
    drawn = safe_text(text)
    assert drawn.text == text
    assert not drawn.hostile


@pytest.mark.parametrize(
    ("data", "drawn"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]52;c;cHduZWQ=\x07", "␛]52;c;cHduZWQ=␇"),
        ("\u202egnp.exe", "·U+202E·gnp.exe"),
        ("a\u2066b\u2069", "a·U+2066·b·U+2069·"),
        ("zero\u200bwidth", "zero·U+200B·width"),
        ("del\x7f", "del␡"),
        ("\x9b31m", "·U+009B·31m"),
        ("tag\U000e0041", "tag·U+E0041·"),
        ("lone\ud800", "lone·U+D800·"),
        ("carriage\rreturn", "carriage␍return"),
        ("line\u2028separator", "line·U+2028·separator"),
        ("selected\U000e0101", "selected·U+E0101·"),
        ("e" + "\u0301" * 7 + "x", "e" + "\u0301" * 4 + "·+3·x"),
    ],
)
def test_a_dangerous_character_is_a_mark_with_a_warning(data: str, drawn: str) -> None:
    assert safe_text(data) == (drawn, True)


@pytest.mark.parametrize(
    ("data", "drawn"),
    [
        ("one\ntwo\r\nthree\tfour", "one␊two␊three␉four"),
        ("Zoë Ångström", "Zoë Ångström"),
        ("日本語 😀", "日本語 😀"),
        ("\u0301combining", "◌\u0301combining"),
        ("love ☺\ufe0f", "love ☺"),
        ("[/x] [@click=quit]", "[/x] [@click=quit]"),
    ],
)
def test_unusual_but_harmless_text_carries_no_warning(data: str, drawn: str) -> None:
    assert safe_text(data) == (drawn, False)


def test_without_unicode_marks_and_letters_keep_a_meaning() -> None:
    assert safe_text("Zoë\x1b[0m \u202e", unicode=False).text == "Zoe<1B>[0m .U+202E."
    assert to_ascii("日本") == "????"
    assert ascii_for("─") == "-" and ascii_for("│") == "|" and ascii_for("┼") == "+"


def test_a_comment_of_several_lines_stays_several_lines() -> None:
    assert [line.text for line in safe_lines("one\r\n\ttwo\x1b\nthree")] == ["one", "    two␛", "three"]
    assert [line.hostile for line in safe_lines("one\r\n\ttwo\x1b\nthree")] == [False, True, False]


def test_a_wide_character_is_never_halved() -> None:
    assert cut("日本語", 4) == "日…"
    assert fit("日本語", 4) == "日… "
    assert cut("abc", 2, "~") == "a~"
    assert cut("abc", 0) == ""


def test_every_sign_that_the_console_draws_has_one_in_ascii() -> None:
    without: dict[str, str] = {}
    for file in Path(console.__file__).parent.rglob("*.py"):
        if file.parent.name == "terminal":
            # There stand the characters that it knows of others.
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                without |= {sign: file.name for sign in node.value if "?" in ascii_for(sign) and sign != "?"}
    assert not without
