"""The screen as ordered text for screen readers: its title, its lines, and the lines with the cursor.

This is the one place that turns the widgets of all views and dialogs into text. Widgets that it does not know are read
as they are drawn, without frames.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static, TextArea

from svc_tui.console.dialogs.box import Box, KeyLine
from svc_tui.console.shell.tour import Caption
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.bars import Bar, Footer, StatusBar
from svc_tui.console.widgets.board import Board
from svc_tui.console.widgets.line_input import FieldInput
from svc_tui.console.widgets.list.drawn_list import DrawnList
from svc_tui.console.widgets.menu import Menu
from svc_tui.console.widgets.panes import Pane
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.language import _, number_text

if TYPE_CHECKING:
    from svc_tui.console.shell.frame import Frame

#: The most lines of one page. The others are read when the cursor comes to them.
MOST_LINES = 60
_FRAMES = re.compile("[\u2500-\u259f]+")
_REQUIRED = " *"


class LinearLine(NamedTuple):
    """A line of text. `current` lines have a cursor; `scrolls` is for rows that others replace when it moves.

    `plain` is the text of a current line without the cursor, if it has another one.
    """

    text: str
    current: bool = False
    scrolls: bool = False
    plain: str = ""

    @property
    def without_cursor(self) -> str:
        return self.plain or self.text


@dataclass(frozen=True)
class LinearPage:
    """The content of a screen. `message` is the message or question of the status line, `status` its other text."""

    title: str
    lines: tuple[LinearLine, ...]
    keys: str = ""
    message: str = ""
    status: str = ""

    @property
    def current(self) -> tuple[str, ...]:
        """The lines with a cursor."""
        return tuple(line.text for line in self.lines if line.current)


def page_of(screen: Screen[object], frame: Frame | None) -> LinearPage:
    """The page of the screen on top. `frame` is the main screen, None before it exists."""
    if isinstance(screen, Box):
        keys = " ".join(_text(line) for line in screen.query(KeyLine))
        return LinearPage(safe_text(screen.title_text).text, _limited(_below(screen)), keys)
    # A console that is leaving has no bars any longer.
    status = frame.query_one_optional(StatusBar) if frame is not None else None
    if frame is None or screen is not frame or frame.view is None or status is None:
        return LinearPage("", _limited(_below(screen)))
    crumbs = ", ".join(safe_text(view.crumb).text for view in frame.stack)
    message = status.text.strip() if frame.announces else ""
    captions = [LinearLine(line.strip()) for caption in frame.query(Caption) for line in _text(caption).split("\n")]
    shown = status.text.strip() if not message and not frame.prompt.is_open else ""
    keys = " ".join(frame.query_one(Footer).text.split()) if not frame.prompt.is_open else ""
    return LinearPage(crumbs, _limited([*_of(frame.view), *_prompt(frame), *captions]), keys, message, shown)


def _prompt(frame: Frame) -> Iterator[LinearLine]:
    if frame.prompt.is_open:
        yield from _of(frame.query_one(Menu))
        yield from _of(frame.prompt)


def _limited(lines: Iterable[LinearLine]) -> tuple[LinearLine, ...]:
    found = [line for line in lines if line.text.strip()]
    kept = found[:MOST_LINES]
    if len(found) > len(kept):
        kept.append(LinearLine(_("{found} more lines").format(found=len(found) - len(kept))))
        kept += [line for line in found[MOST_LINES:] if line.current]
    return tuple(kept)


def _below(widget: Widget) -> Iterator[LinearLine]:
    label = ""
    children = list(widget.displayed_children)
    # A widget without children has no pair.
    for child, after in zip(children, [*children[1:], None], strict=False):
        if isinstance(child, Static) and isinstance(after, Input) and _names(child, after):
            # A text above an input is its label, what the input shows while it is empty is a hint.
            label = _text(child).strip().rstrip(":")
            if after.placeholder and not after.value:
                label = f"{label} ({safe_text(after.placeholder).text})"
        elif isinstance(child, Input) and label:
            yield LinearLine(f"{label}: {_value(child)}", child.has_focus)
            label = ""
        else:
            yield from _of(child)


def _names(text: Static, line: Input) -> bool:
    """Whether a text is the label of the line below it."""
    return text.has_class("label") or not (isinstance(text, Bar) or line.placeholder or isinstance(line, FieldInput))


def _of(widget: Widget) -> Iterator[LinearLine]:
    """The lines of a widget and of those in it."""
    match widget:
        case KeyLine() | FieldInput():
            return
        case DrawnList():
            yield from _rows(widget)
        case Board():
            yield from (LinearLine(text, current) for text, current in widget.as_text())
        case Sheet():
            yield from _sheet(widget)
        case OptionList():
            yield from _options(widget)
        case Input():
            yield LinearLine(f"{_label(widget)}: {_value(widget)}", widget.has_focus)
        case TextArea():
            row = widget.cursor_location[0]
            yield from (LinearLine(safe_text(text).text, y == row) for y, text in enumerate(widget.text.split("\n")))
        case Menu():
            yield from (LinearLine(line, line.startswith("selected ")) for line in widget.as_text())
        case Bar():
            yield LinearLine(widget.text.strip())
        case Static():
            yield from (LinearLine(line) for line in _text(widget).split("\n"))
        case Pane() if widget.title and len(widget.parent.displayed_children if widget.parent else ()) > 1:
            yield LinearLine(f"{safe_text(widget.title).text}:")
            yield from _below(widget)
        case _ if widget.displayed_children:
            yield from _below(widget)
        case _:
            yield from _as_drawn(widget)


def _rows(records: DrawnList) -> Iterator[LinearLine]:
    """The visible rows of a list, with their positions."""
    for index in range(records.top, min(records.top + max(records.size.height - 1, 1), records.count)):
        text = records.row_text(index)
        position = _("Row {index} of {count}").format(index=number_text(index + 1), count=number_text(records.count))
        yield LinearLine(f"{position}: {text}", index == records.cursor and _has_cursor(records), scrolls=True)
    if not records.count:
        yield LinearLine(records.note)


def _sheet(sheet: Sheet) -> Iterator[LinearLine]:
    """The lines of a sheet; a value that continues is one line, and the cursor has a position."""
    stops = sum(line.stops for line in sheet.lines)
    position = 0
    pending: LinearLine | None = None
    for index, line in enumerate(sheet.lines):
        position += line.stops
        if pending is not None and line.kind == "field" and (line.continued or not line.label):
            # Parts of an object have names; lines of a text continue it.
            more = f"{'; ' if line.read else ' '}{line.as_read}" if line.as_read else ""
            pending = pending._replace(text=pending.text + more, plain=pending.plain + more)
            continue
        if pending is not None:
            yield pending
        current = index == sheet.cursor and line.stops and _has_cursor(sheet)
        plain = text = _line(line, None).strip()
        if current:
            text = _("{position} of {stops}, {text}").format(
                position=position, stops=stops, text=_line(line, _editor(sheet)).strip()
            )
        pending = LinearLine(text, bool(current), plain=plain)
    if pending is not None:
        yield pending


def _has_cursor(widget: DrawnList | Sheet) -> bool:
    """Whether the cursor of a widget is the one that keys move; beside it there can be others."""
    focused = widget.screen.focused
    return focused is widget or not isinstance(focused, DrawnList | Sheet)


def _line(line: Line, editor: FieldInput | None) -> str:
    if line.kind != "field":
        return line.as_read or line.label
    label = line.label
    if label.endswith(_REQUIRED):
        label = _("{label} (required)").format(label=label.removesuffix(_REQUIRED))
    notes = "".join(f"; {note}" for note in (_("changed") if line.changed else "", line.note) if note)
    if editor is not None:
        # The typed text comes last, so that it is read while it is typed.
        return f"{label}{notes}: {_value(editor)}"
    return f"{label}: {line.as_read}{notes}"


def _editor(sheet: Sheet) -> FieldInput | None:
    found = sheet.parent.query(FieldInput) if isinstance(sheet.parent, Widget) else ()
    return next((each for each in found if each.display), None)


def _options(options: OptionList) -> Iterator[LinearLine]:
    count = options.option_count
    first = max(0, min((options.highlighted or 0) - 5, count - 20))
    for index in islice(range(first, count), 20):
        text = _("Choice {index} of {count}: {prompt}").format(
            index=number_text(index + 1), count=number_text(count), prompt=options.get_option_at_index(index).prompt
        )
        yield LinearLine(" ".join(text.split()), index == options.highlighted, scrolls=True)


def _label(line: Input) -> str:
    return safe_text(line.placeholder or "Text").text.rstrip(":")


def _value(line: Input) -> str:
    return "•" * len(line.value) if line.password else safe_text(line.value).text


def _text(widget: Static) -> str:
    return str(widget.visual)


def _as_drawn(widget: Widget) -> Iterator[LinearLine]:
    """The drawn text of a widget, without frames and blocks."""
    width, height = widget.size
    if width and height:
        for strip in widget.render_lines(Region(0, 0, width, height)):
            yield LinearLine(" ".join(_FRAMES.sub(" ", strip.text).split()))
