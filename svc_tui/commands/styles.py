"""Quiet colours of commands on a terminal; none in pipes, with NO_COLOR, and where a terminal has no colours."""

from __future__ import annotations

import os
import sys
from textwrap import TextWrapper
from typing import IO, Literal

from svc_tui.language import _

Style = Literal["", "heading", "dim", "ok", "warn", "bad", "accent"]
_CODES: dict[str, str] = {"heading": "1", "dim": "2", "ok": "32", "warn": "33", "bad": "31", "accent": "36"}
#: The signs of what is and what is not.
YES, NO = "✓", "✗"
#: The cells of the bar of a progress.
_BAR = 16


def has_colours(stream: IO[str]) -> bool:
    """Whether text on a stream may have colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") not in ("", "dumb")


def painted(text: str, style: Style = "", stream: IO[str] | None = None) -> str:
    """A text that is safe to draw, in a style where the stream, by default standard output, has colours."""
    code = _CODES.get(style)
    return f"\x1b[{code}m{text}\x1b[0m" if text and code and has_colours(stream or sys.stdout) else text


def wrapped(text: str, width: int, first: str = "", further: str = "") -> list[str]:
    """The lines of a text, indented. Addresses and names with hyphens are never divided, even if they are longer."""
    wrapper = TextWrapper(width, initial_indent=first, subsequent_indent=further)
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return wrapper.wrap(text)


def bar(share: float) -> str:
    """The bar of a progress, with the share in percent."""
    share = min(max(share, 0.0), 1.0)
    filled = int(share * _BAR)
    return f"{'━' * filled}{'·' * (_BAR - filled)} {share:4.0%}"


def measured(done: float, total: float, text: str, unit: str, seconds: float) -> str:
    """A progress with its bar where the total is known, its rate and the time left."""
    parts = (bar(done / total) if total else "", text, pace(done, total, seconds, unit))
    return "   ".join(filter(None, parts))


def pace(done: float, total: float, seconds: float, unit: str) -> str:
    """How fast something goes, and the time left: `820 records/s   0:07 left`; empty at its beginning.

    Without a total, nothing is known about the time left.
    """
    if done <= 0 or seconds < 1:
        return ""
    rate = f"{done / seconds:,.0f} {unit}/s"
    if total <= done:
        return rate
    left = int((total - done) * seconds / done)
    return _("{rate}   {minutes}:{seconds:02} left").format(rate=rate, minutes=left // 60, seconds=left % 60)
