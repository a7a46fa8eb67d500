"""The lines of a sheet: headings, fields with values, plain text, and how they are wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Literal

from rich.cells import cell_len

from svc_tui.console.terminal.text import cut, most_characters, safe_text

LineKind = Literal["heading", "field", "text"]
#: Before the rest of a word that does not fit in a line, and the signs after which one is divided.
_CONTINUED = "↪ "
_DIVIDING = "/?&=,;:@_-."
#: The fewest columns of the note of a text that is cut: less says nothing.
_LEAST_NOTE = 12
#: A date with its time, and a number with its unit, which are not separated where they fit in a line.
_TIME = re.compile(r"(\d{4}-\d\d-\d\d) (?=\d\d:\d\d)|(?<=\d) (?=(?:d|min|ms|EUR)\b)")
_LEAST_TIME = 20
#: The most lines of a wrapped label: only names from the service are longer.
_MOST_LABEL = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `key` identifies its item; a continued value has the same key and an empty label.

    All texts are safe to draw (see `console.terminal.text`). `note` is right of the value.
    """

    kind: LineKind
    label: str = ""
    value: str = ""
    note: str = ""
    key: str = ""
    style: str = ""
    note_style: str = "dim"
    changed: bool = False
    #: The columns for its label, if they are not those of the whole sheet.
    label_width: int = 0
    #: Whether the label is the rest of the one above.
    continued: bool = False
    #: Whether the note is a constraint or why a field is read-only, which is cut before the value is.
    constraint: bool = False
    #: Whether the value (of a text the whole line) is a secret that is shown: it is masked in saved screens.
    secret: bool = False
    #: The value as it is read aloud, if it is drawn in another way; empty for the rest of one that was read.
    read: str | None = None

    @property
    def as_read(self) -> str:
        """The value as the linear mode reads it."""
        return self.value if self.read is None else self.read

    @property
    def stops(self) -> bool:
        """Whether the cursor stops here."""
        return self.kind == "text" or (self.kind == "field" and bool(self.label) and not self.continued)


def note_of(line: Line, room: int) -> str:
    """What is drawn of the note of a field; a constraint is cut before the value is, others keep half of the room."""
    value_room = room if line.constraint else room // 2
    note = cut(line.note, max(0, room - min(cell_len(line.value), value_room) - 2))
    least = _LEAST_NOTE if line.kind == "text" else 2
    return "" if note != line.note and cell_len(note) < least else note


def wrapped(line: Line, width: int) -> list[Line]:
    """A field line, continued on further lines if its value is longer than `width` columns.

    Only a word that is too long for a line is broken; the rest begins with a mark.
    """
    if width < 8 or cell_len(line.value) <= width:
        return [line]
    parts, start, mark = [], 0, ""
    # The same text, without the spaces at which it is not broken.
    divisible = _TIME.sub(lambda found: f"{found[1] or ''}\0", line.value) if width >= _LEAST_TIME else line.value
    while True:
        room = width - cell_len(mark)
        # Measuring all of the rest for each line would take quadratic time.
        rest = line.value[start : start + most_characters(room)]
        if start + len(rest) == len(line.value) and cell_len(rest) <= room:
            break
        head = cut(rest, room, ellipsis="")
        between = divisible[start + len(head) : start + len(head) + 1] == " "
        break_at = len(head) - 1 if between else divisible[start : start + len(head)].rfind(" ")
        following = divisible[start + break_at + 1 : start + break_at + 2 + width].partition(" ")[0]
        fits = break_at > 0 and cell_len(following) <= width
        broken = break_at <= room // 2 and not fits
        if broken:
            # A value without spaces is best divided after one of its signs.
            break_at = max(map(head.rfind, _DIVIDING))
        head = head[: break_at + 1] if fits or break_at > room // 2 else head
        parts.append(mark + head.rstrip())
        start += len(head) + between
        mark = _CONTINUED if broken and line.kind == "field" else ""
    parts.append(mark + rest)
    first = replace(line, value=parts[0], read=line.as_read)
    return [first, *(replace(line, label="", value=part, note="", changed=False, read="") for part in parts[1:])]


def with_whole_labels(lines: Iterable[Line], width: int) -> Iterator[Line]:
    """The lines with labels wrapped to `width` columns, beside the lines of their values or below them."""
    rest: list[str] = []
    key = ""
    for line in lines:
        follows = line.kind == "field" and not line.label
        if rest and follows:
            line = replace(line, label=rest.pop(0), continued=True)
        elif not follows:
            yield from (Line("field", part, key=key, continued=True) for part in rest)
            rest = []
            if line.kind == "field" and cell_len(line.label) > (line.label_width or width):
                room = line.label_width or width
                first, *rest = wrap(line.label[: most_characters(room * _MOST_LABEL)], room) or [""]
                line = replace(line, label=first)
        key = line.key
        yield line
    yield from (Line("field", part, key=key, continued=True) for part in rest)


def safe(value: str) -> str:
    """A value of the service, safe to draw in a line."""
    return safe_text(value).text
