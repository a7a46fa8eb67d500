"""The sheet: a cursor and a scroll position over lines, which are drawn on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from svc_tui.console.terminal.secrets import is_marked, marked
from svc_tui.console.terminal.text import cut, fit
from svc_tui.console.widgets.base import StyledWidget
from svc_tui.console.widgets.formatting import SIGNS
from svc_tui.console.widgets.sheet_lines import Line, note_of, with_whole_labels

#: The columns of a line beside those of label and value: the last one stays between the value and the edge.
BESIDE_VALUE = 5
#: The columns of an id.
ID = 24


class Sheet(StyledWidget, can_focus=True):
    """Lines with a cursor. Only visible lines are drawn.

    Notes follow the value, or are at the right edge with `notes_right`, but not beyond `notes_within` columns. A sheet
    `beside` another widget shows its cursor only with the focus. With `whole_labels`, labels that do not fit wrap;
    otherwise they are cut, and every line stays at its index.
    """

    #: Whether the labels never get narrower, so that values stay in their column from record to record.
    keeps_labels = False
    COMPONENT_CLASSES = {
        "styled--label",
        "styled--heading",
        "styled--cursor",
        "styled--ok",
        "styled--warn",
        "styled--bad",
        "styled--accent",
        "styled--bar",
    }
    DEFAULT_CSS = """
    Sheet { width: 1fr; height: 1fr; }
    Sheet > .styled--label { color: $text-muted; }
    Sheet > .styled--heading { text-style: bold; color: $accent; }
    Sheet > .styled--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
    }
    Sheet:nocolor > .styled--cursor { text-style: reverse; }
    Sheet > .styled--ok { color: $success; }
    Sheet > .styled--warn { color: $warning; }
    Sheet > .styled--bad { color: $error; text-style: bold; }
    Sheet > .styled--accent { color: $accent; }
    Sheet > .styled--bar { color: $primary; }
    """

    class Moved(Message):
        """A move of the cursor to another line."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(
        self,
        *,
        label_width: int = 26,
        notes_right: bool = False,
        notes_within: int = 0,
        beside: bool = False,
        whole_labels: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._whole_labels = whole_labels
        self.beside = beside
        self._notes_right, self._notes_within = notes_right, notes_within
        self._lines: list[Line] = []
        #: The lines with labels of any length, or what gives them for a width.
        self._given: Sequence[Line] | Callable[[], Iterable[Line]] = ()
        self.cursor = 0
        self.top = 0
        #: Whether it was laid out; one that is covered again has no height.
        self._seen = False
        self._most_label = label_width
        self._longest_label = 0

    @property
    def lines(self) -> Sequence[Line]:
        return self._lines

    @property
    def line(self) -> Line | None:
        """The selected line."""
        return self._lines[self.cursor] if self.cursor < len(self._lines) else None

    @property
    def label_width(self) -> int:
        """The columns for labels: the longest one, limited by the width."""
        room: int = self.size.width * 2 // 5
        if not self._whole_labels or self.size.width - room - BESIDE_VALUE < ID:
            # A pane beside a list shows an id in one line, and a table gives its room to the values.
            room = (self.size.width - 2) * 2 // 5
        return max(8, min(self._longest_label, self._most_label, room))

    def show(self, lines: Sequence[Line] | Callable[[], Iterable[Line]]) -> None:
        """Replace the lines. The cursor stays on its key; only changed lines are drawn again.

        Lines that are wrapped by `label_width` come from a function: the width depends on their labels in turn.
        """
        key = self.line.key if self.line else ""
        width_before, before, top_before = self.label_width, self._lines, self.top
        self._lines = list(lines() if callable(lines) else lines)
        labels = (cell_len(line.label) for line in self._lines if line.kind == "field" and not line.label_width)
        self._longest_label = max(self._longest_label if self.keeps_labels else 0, *labels, 0)
        if callable(lines) and self.label_width != width_before:
            self._lines = list(lines())
        self._given = lines if callable(lines) else self._lines
        if self._whole_labels:
            self._lines = list(with_whole_labels(self._lines, self.label_width))
        at = next((n for n, line in enumerate(self._lines) if key and line.key == key and line.stops), None)
        self.cursor = self._stop(at if at is not None else min(self.cursor, max(len(self._lines) - 1, 0)), 1)
        self._follow()
        if (
            len(before) != len(self._lines)
            or width_before != self.label_width
            or top_before != self.top
            or key != (self.line.key if self.line else "")
        ):
            self.refresh()
            return
        for index, (old, new) in enumerate(zip(before, self._lines, strict=True)):
            if old != new:
                self._refresh_line(index)

    def _stop(self, index: int, step: int) -> int:
        """The nearest line from `index` in the direction of `step` at which the cursor may stop."""
        last = len(self._lines) - 1
        if last < 0:
            return 0
        index = max(0, min(index, last))
        onward = range(index, last + 1) if step > 0 else range(index, -1, -1)
        back = range(index, -1, -1) if step > 0 else range(index, last + 1)
        for candidates in (onward, back):
            for candidate in candidates:
                if self._lines[candidate].stops:
                    return candidate
        return index

    def move(self, by: int) -> None:
        """Move the cursor by lines at which it stops."""
        if not self._lines:
            return
        at, step = self.cursor, 1 if by > 0 else -1
        for _ in range(abs(by)):
            at = self._stop(at + step, step) if 0 <= at + step < len(self._lines) else at
        if at == self.cursor and step < 0:
            self.top, before = 0, self.top
            if before:
                self.refresh()
            return
        self.go(at)

    @property
    def at_start(self) -> bool:
        """Whether the cursor is on the first line at which it stops."""
        return self.cursor == self._stop(0, 1)

    def home(self) -> None:
        """Move to the first line at which the cursor stops, with the headings above it visible."""
        if self.top:
            self.top = 0
            self.refresh()
        self.go(self._stop(0, 1))

    def end(self) -> None:
        """Move to the last line."""
        self.go(len(self._lines) - 1)

    def page(self, by: int) -> None:
        """Scroll by pages, with the cursor."""
        step = by * max(1, self.size.height - 1)
        top = max(0, min(self.top + step, len(self._lines) - self.size.height))
        if top != self.top:
            self.top = top
            self.refresh()
        self.go(self._stop(self.cursor + step, 1 if by > 0 else -1))

    def go(self, index: int) -> None:
        """Move the cursor to a line."""
        if not self._lines:
            return
        old, old_top = self.cursor, self.top
        self.cursor = max(0, min(index, len(self._lines) - 1))
        self._follow()
        if self.top != old_top:
            self.refresh()
        elif old != self.cursor:
            self._refresh_line(old)
            self._refresh_line(self.cursor)
        if old != self.cursor or self.top != old_top:
            self.post_message(self.Moved(self._lines[self.cursor].key))

    def go_to(self, key: str) -> None:
        """Move the cursor to the first line of a key."""
        for index, line in enumerate(self._lines):
            if line.key == key and line.stops:
                self.go(index)
                return

    def _follow(self) -> None:
        if self._seen and not self.size.height:
            # Covered: it is scrolled as it was when it is seen again.
            return
        height = max(1, self.size.height)
        first = self.cursor
        while first > 0 and self._lines[first - 1].kind == "heading":
            first -= 1
        if first < self.top:
            self.top = first
        elif self.cursor >= self.top + height:
            self.top = self.cursor - height + 1
        self.top = max(0, min(self.top, max(0, len(self._lines) - height)))

    def _refresh_line(self, index: int) -> None:
        row = index - self.top
        if 0 <= row < self.size.height:
            self.refresh(Region(0, row, self.size.width, 1))

    def on_resize(self) -> None:
        self._seen = self._seen or bool(self.size.height)
        if self._whole_labels:
            self.show(self._given)
        self._follow()
        self.refresh()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(-3)

    def on_click(self, event: events.Click) -> None:
        index = self.top + event.y
        if index < len(self._lines) and self._lines[index].stops:
            self.go(index)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        index = y + self.top
        if index >= len(self._lines):
            return Strip([Segment(" " * width, self.rich_style)], width)
        line = self._lines[index]
        segments = self._segments(line, width)
        if index == self.cursor and line.stops and (self.has_focus or not self.beside):
            cursor = self.named_style("cursor")
            segments = [Segment(item.text, marked(cursor) if is_marked(item) else cursor) for item in segments]
        return Strip(_merged(segments), width)

    def _segments(self, line: Line, width: int) -> list[Segment]:
        base = self.rich_style
        if line.kind == "heading":
            return [Segment(fit(f" {line.label}", width), self.named_style("heading"))]
        if line.kind == "text":
            style = self.named_style(line.style)
            note = note_of(line, width - 2)
            room = width - cell_len(note) - 1 if note else width
            # One column stays between the text and its note.
            value = fit(cut(f" {line.value}", room - bool(note)), room)
            return [
                Segment(value, marked(style) if line.secret else style),
                Segment(f"{note} " if note else "", self.named_style(line.note_style)),
            ]
        label = line.label_width or self.label_width
        if not (line.value or line.note):
            # A label with nothing beside it has the whole line.
            label = max(label, min(cell_len(line.label), width - 4))
        # What warns has its sign under the cursor and without colours too.
        sign = SIGNS[line.style] if line.label and line.style in ("warn", "bad") else ""
        if sign and sign in line.value:
            # A row of a tree has it before its state.
            sign = ""
        if line.changed:
            gutter = Segment("* ", self.named_style("accent"))
        else:
            gutter = Segment(f"{sign or ' '} ", self.named_style(line.style if sign else "label"))
        room = max(0, width - label - BESIDE_VALUE)
        note = note_of(line, room)
        value = cut(line.value, room - (cell_len(note) + 2 if note else 0))
        style = self.named_style(line.style) if line.style else base
        rest = room - cell_len(value) - cell_len(note)
        gap = rest if self._notes_right else min(rest, 2)
        if self._notes_within:
            gap = min(gap, max(2, self._notes_within - cell_len(value) - cell_len(note)))
        return [
            gutter,
            Segment(fit(line.label, label) + "  ", self.named_style("label")),
            Segment(value, marked(style) if line.secret else style),
            Segment(" " * gap, base),
            Segment(note, self.named_style(line.note_style)),
            Segment(" " * (rest - gap + 1), base),
        ]

    def value_span(self, line: Line) -> tuple[int, int]:
        """The first column of the value of a field, and the columns up to its note or the edge."""
        first = (line.label_width or self.label_width) + BESIDE_VALUE - 1
        room = max(0, self.size.width - first - 1)
        if not (note := note_of(line, room)):
            return first, room
        ends = room - cell_len(note)
        if self._notes_within:
            ends = min(ends, max(cell_len(line.value) + 2, self._notes_within - cell_len(note)))
        return first, ends - 1


def _merged(segments: list[Segment]) -> list[Segment]:
    """Adjacent segments of one style joined, which takes fewer bytes."""
    merged: list[Segment] = []
    for segment in segments:
        if not segment.text:
            continue
        if merged and merged[-1].style == segment.style:
            merged[-1] = Segment(merged[-1].text + segment.text, segment.style)
        else:
            merged.append(segment)
    return merged
