"""Keys that arrive together are the keys that were typed."""

from __future__ import annotations

import pytest
from textual import events
from textual._xterm_parser import XTermParser

from svc_tui.console.terminal.key_parser import KeyParser


def keys(*reads: str, in_text: bool = False) -> list[str]:
    """The keys of the input, piece by piece."""
    parser = KeyParser(False, lambda: in_text)
    found = [event for read in (*reads, "") for event in parser.feed(read)]
    return [event.text if isinstance(event, events.Paste) else str(event.key) for event in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ("\x1bq", ["escape", "q"]),
        ("\x1bqABC\x1bj", ["escape", "q", "A", "B", "C", "escape", "j"]),
        ("\x1b\r", ["escape", "enter"]),
        ("\x1b:", ["escape", "colon"]),
        ("\x1b1", ["escape", "1"]),
        ("\x1b\x1bj", ["escape", "escape", "j"]),
        ("\x1b\x7f", ["escape", "backspace"]),
        ("\x1b\t", ["escape", "tab"]),
        ("\x1bb", ["escape", "b"]),
        ("\x1bP", ["escape", "P"]),
        ("j\x1b", ["j", "escape"]),
        ("\x1b[A\x1b[B", ["up", "down"]),
        ("\x1bOA\x1bOP", ["up", "f1"]),
        ("\x1b\x1b[A", ["escape", "up"]),
        ("\x1b[27u\x1b[27;1u", ["escape", "escape"]),
    ],
)
def test_escape_is_a_key_of_its_own(read: str, expected: list[str]) -> None:
    assert keys(read) == expected


def test_enter_that_was_typed_before_the_console_read_its_terminal_is_enter() -> None:
    assert keys(":users\n") == ["colon", "u", "s", "e", "r", "s", "enter"]
    assert keys("\x1b[200~a\nb\x1b[201~", "\n") == ["a\nb", "enter"]


def test_escape_at_the_end_of_a_read_is_a_key_and_what_follows_too() -> None:
    assert keys("\x1b", "j", "\x1b", "\x1b", "q") == ["escape", "j", "escape", "escape", "q"]
    assert keys("\x1b", "[A") == ["up"]


def test_in_a_field_for_text_alt_edits_words() -> None:
    assert keys("\x1bb\x1bf\x1b\x7f", in_text=True) == ["ctrl+left", "ctrl+right", "ctrl+w"]
    assert keys("\x1bj", in_text=True) == ["escape", "j"]


@pytest.mark.parametrize(
    "reads", [("\x1b[200~a\x1bb\x1b[201~",), ("\x1b[200~a", "\x1bb\x1b[201~"), ("\x1b[200~plain\x1b[201~",)]
)
def test_pasted_text_is_not_changed(reads: tuple[str, ...]) -> None:
    plain = XTermParser()
    expected = [str(event) for read in (*reads, "") for event in plain.feed(read)]
    parser = KeyParser(False, lambda: False)
    assert [str(event) for read in (*reads, "") for event in parser.feed(read)] == expected
