"""The background of the terminal, light or dark: the terminal is asked before the console draws on it.

The question is OSC 11, which most terminals answer with the colour. Behind it the terminal is asked for its kind, which
all of them answer: one that does not know the first question is not waited for.
"""

from __future__ import annotations

import os
import re
import select
import termios
import time
import tty
from collections.abc import Mapping
from dataclasses import dataclass

#: Asks for the colour of the background, then for the kind of the terminal (DA1).
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
#: The most seconds for which an answer is awaited: less than is felt.
PATIENCE = 0.1

#: A colour of one to four hexadecimal digits for each of red, green and blue, and the end of the report.
_COLOUR = re.compile(
    rb"\x1b\]11;(?:rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})(?:/[0-9a-f]{1,4})?"
    rb"|#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))(?:\x07|\x1b\\)",
    re.IGNORECASE,
)
_KIND = re.compile(rb"\x1b\[\?[\d;]*c")
_REPORT = re.compile(rb"\x1b\]11;[^\x07\x1b]*(?:\x07|\x1b\\)|" + _KIND.pattern)


@dataclass(frozen=True, slots=True)
class Background:
    """Whether a background is light, None if that is not known; and keys that were typed since it was asked."""

    light: bool | None = None
    typed: bytes = b""


def ask_background(reader: int, writer: int) -> Background:
    """Ask a terminal that no application uses. The file descriptors are those of the terminal.

    An answer that comes later is for the parser of keys, which drops it.
    """
    try:
        before = termios.tcgetattr(reader)
        # Without a flush, which would lose what was typed before.
        tty.setcbreak(reader, termios.TCSANOW)
    except termios.error:
        return Background()
    try:
        os.write(writer, QUESTION)
        received = _received(reader)
    except OSError:
        return Background()
    finally:
        termios.tcsetattr(reader, termios.TCSANOW, before)
    return Background(is_light(received), _REPORT.sub(b"", received))


def _received(reader: int) -> bytes:
    """What came until the kind of the terminal was reported, or until patience ended."""
    received, end = b"", time.monotonic() + PATIENCE
    while not _KIND.search(received) and select.select([reader], [], [], max(0.0, end - time.monotonic()))[0]:
        if not (data := os.read(reader, 1024)):
            break
        received += data
    return received


def is_light(report: bytes) -> bool | None:
    """Whether a report has the colour of a light background; None without a colour."""
    found = _COLOUR.search(report)
    if found is None:
        return None
    # Each part has its own number of digits: f, ff and ffff are all of it.
    red, green, blue = (int(part, 16) / int(b"f" * len(part), 16) for part in found.groups() if part)
    return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5


def declared_light(environment: Mapping[str, str]) -> bool:
    """Whether the environment declares a light background (`COLORFGBG`, for example "0;15"); few terminals set it."""
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return background == "7" or (background.isdigit() and 9 <= int(background) <= 15)
