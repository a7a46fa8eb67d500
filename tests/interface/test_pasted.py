"""Copied texts: one line without unseen characters, and what a link or a quotation is about."""

from __future__ import annotations

import pytest

from svc_tui.interface.texts import bare, pasted_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n\r\n  \nana@example.com\nmore", "ana@example.com"),
        ("\ufeff+34\u00a0915\u200b633\u202f281\r\n", "+34 915633 281"),
        ("\u202a+34915633281\u202c", "+34915633281"),
        ("a\tb\x07c", "a bc"),
        (" and Porto", " and Porto"),
        ("first\u2028second", "first"),
        ("soft\u00adhyphen", "softhyphen"),
        ("می\u200cخواهم 👩\u200d💻", "می\u200cخواهم 👩\u200d💻"),
        ("\u200b\n\ufeff\n", ""),
        ("", ""),
    ],
)
def test_the_first_line_that_is_not_empty_without_unseen_characters(text: str, line: str) -> None:
    assert pasted_line(text) == line


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("tel:+34915633281", "+34915633281"),
        ("TEL:+34-915-633-281;ext=12", "+34-915-633-281"),
        ("sip:ana@example.com;transport=tls", "ana@example.com"),
        ("mailto:ana%40example.com?subject=Hi", "ana@example.com"),
        ("<mailto:ana@example.com>", "ana@example.com"),
        ("Ana Silva <ana@example.com>", "ana@example.com"),
        ('"Silva, Ana" <ana@example.com>;', "ana@example.com"),
        ("“+34 915 633 281”,", "+34 915 633 281"),
        ("'tel:%2B34915633281'", "+34915633281"),
        (" «Northwind» ", "Northwind"),
        # Nothing is around these, or it belongs to them.
        ("(030) 123 (4)", "(030) 123 (4)"),
        ("telephone", "telephone"),
        ("tel:", "tel:"),
        ("a <b> c", "a <b> c"),
        ("5 > 3", "5 > 3"),
        ("Northwind, Lda.", "Northwind, Lda."),
    ],
)
def test_what_a_copied_text_is_about(text: str, about: str) -> None:
    assert bare(text) == about
