"""The head of a record: its name, its state as a badge, what users ask for first, and how many findings there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from svc_tui.console.core.overview import Entry, Facts, Section, entries_of, findings_of
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import cut, fit, safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.base import StyledWidget
from svc_tui.console.widgets.formatting import NOTHING, signed
from svc_tui.console.widgets.panes import FRAMED
from svc_tui.console.widgets.sheet_lines import Line, wrapped
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Effect, Finding
from svc_tui.interface.texts import counted
from svc_tui.language import _

#: Most facts of a head.
FACTS = 3
#: The most columns of one fact.
_WIDEST = 48
#: How findings are drawn, the most serious first.
STYLES: dict[Effect, str] = {"prevents": "bad", "limits": "warn", "notes": ""}


NO_BADGE = Piece("")


@dataclass(frozen=True, slots=True)
class Head:
    """What a head shows. `badge` is the state, `kind` the word for one record, `found` the findings in short."""

    name: str = ""
    kind: str = ""
    badge: Piece = NO_BADGE
    facts: tuple[Entry, ...] = ()
    found: tuple[Piece, ...] = ()


def head_of(resource: Resource, record: RecordData, asked: Iterable[Entry] = (), found: Iterable[Piece] = ()) -> Head:
    """The head of a record. Without entries that are `asked` for, its facts are columns of the list."""
    facts = [entry for entry in asked if entry.asked and entry.text] or list(_of_columns(resource, record))
    kind = resource.singular_title
    return Head(resource.label(record), kind, badge_of(resource, record), tuple(facts[:FACTS]), tuple(found))


def badge_of(resource: Resource, record: RecordData) -> Piece:
    """The state of a record with its sign; empty for a kind without states, and where it is not known."""
    column = next((each for each in resource.display.columns if each.state), None)
    if column is None or column.value(record) is None:
        return NO_BADGE
    text, style = column.text(record)
    return Piece(signed(text.text, style), style)


def _of_columns(resource: Resource, record: RecordData) -> Iterator[Entry]:
    """The first columns of the list after the name, or those that the kind declares as facts."""
    chosen = resource.display.facts
    columns = [each for each in resource.display.columns[1:] if not each.state and not each.across]
    if chosen:
        columns = [each for name in chosen for each in resource.display.columns if each.field == name]
    for column in columns:
        text, style = column.text(record)
        if text.text not in ("", NOTHING):
            yield Entry(column.title.capitalize(), text.text, style=style)


def found_pieces(findings: Iterable[Finding], open_questions: str = "") -> list[Piece]:
    """How many findings there are; `open_questions` is what could not be checked."""
    counts = Counter(finding.effect for finding in findings)
    pieces = []
    if counts["prevents"]:
        pieces.append(Piece(signed(counted(counts["prevents"], "problem"), "bad"), "bad"))
    if counts["limits"]:
        pieces.append(Piece(signed(counted(counts["limits"], "warning"), "warn"), "warn"))
    if pieces or open_questions:
        return pieces
    return [Piece(_("✓ no problems"), "ok")]


def pane_lines(resource: Resource, sections: Sequence[Section], facts: Facts, width: int, room: int) -> Iterator[Line]:
    """The head of a record as lines beside its list, with the findings that its own fields decide.

    A sentence has `width` columns, the value of a fact has `room`.
    """
    record = facts.record
    entries = [entry for section in sections for entry in entries_of(section, facts)]
    head = head_of(resource, record, entries)
    if head.badge.text:
        yield Line("text", value=head.badge.text, style=head.badge.style)
    found = [finding for section in sections for finding, __ in findings_of(section, facts)]
    for finding in sorted(found, key=lambda each: tuple(STYLES).index(each.effect)):
        style = STYLES[finding.effect]
        yield from wrapped(Line("text", value=safe_text(signed(finding.sentence, style)).text, style=style), width)
    for entry in head.facts:
        text = safe_text(entry.text).text
        fact = Line("field", safe_text(entry.label).text, text, key=f"={entry.label}", style=entry.style)
        yield from wrapped(fact, room)


class HeadBar(StyledWidget):
    """The head above the panes of a record: two lines, on a high terminal three, with a column for each fact."""

    COMPONENT_CLASSES = {"styled--name", "styled--ok", "styled--warn", "styled--bad", "styled--accent"}
    DEFAULT_CSS = """
    HeadBar { height: 2; width: 1fr; }
    HeadBar.high { height: 3; }
    HeadBar > .styled--name { text-style: bold; color: $primary; }
    HeadBar > .styled--ok { color: $success; }
    HeadBar > .styled--warn { color: $warning; }
    HeadBar > .styled--bad { color: $error; text-style: bold; }
    HeadBar > .styled--accent { color: $accent; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._head = Head()

    def show(self, head: Head) -> None:
        """Show a head; an unchanged one is not drawn again."""
        self.set_class(self.app.size.height - 3 >= FRAMED, "high")
        self.display = bool(head.name)
        if head != self._head:
            self._head = head
            self.refresh()

    def shows(self, entry: Entry) -> bool:
        """Whether an entry is one of the facts, and not cut."""
        if entry not in self._head.facts:
            return False
        if self.has_class("high"):
            return cell_len(entry.text) < self._fact_widths[self._head.facts.index(entry)]
        before = self._head.facts[: self._head.facts.index(entry) + 1]
        return sum(cell_len(piece.text) for each in before for piece in _inline(each)) < self.size.width - 2

    @property
    def _fact_widths(self) -> list[int]:
        """The columns of each fact; the last one has the rest of the line."""
        facts = len(self._head.facts)
        each = max(1, min(_WIDEST, (self.size.width - 1) // max(1, facts)))
        return [*[each] * (facts - 1), max(each, self.size.width - 2 - each * (facts - 1))]

    def render_line(self, y: int) -> Strip:
        if y == 0:
            return self._first()
        if not self.has_class("high"):
            return self._strip(piece for entry in self._head.facts for piece in _inline(entry))
        facts = [*zip(self._head.facts, self._fact_widths, strict=False)]
        if y == 1:
            return self._strip(Piece(fit(safe_text(entry.label).text, width), "dim") for entry, width in facts)
        return self._strip(
            Piece(fit(safe_text(entry.text).text, width - 1) + " ", entry.style) for entry, width in facts
        )

    def _first(self) -> Strip:
        head = self._head
        left = [Piece(safe_text(head.name).text, "name"), Piece(f"   {head.kind}", "dim")]
        if head.badge.text:
            left.insert(1, Piece(f"   {head.badge.text}", head.badge.style))
        return self._strip(left, [Piece(f"  {piece.text}", piece.style) for piece in head.found])

    def _strip(self, left: Iterable[Piece], right: Sequence[Piece] = ()) -> Strip:
        """A line of the head; what is on the right is whole, the left is cut."""
        width = self.size.width
        room = width - sum(cell_len(piece.text) for piece in right) - 2
        segments = [Segment(" ", self.rich_style)]
        for piece in left:
            text = cut(piece.text, room)
            if text:
                segments.append(Segment(text, self.named_style(piece.style)))
            room -= cell_len(text)
        segments.append(Segment(" " * max(room, 0), self.rich_style))
        segments += [Segment(piece.text, self.named_style(piece.style)) for piece in right]
        return Strip(segments).crop(0, width - 1).extend_cell_length(width, self.rich_style)


def _inline(entry: Entry) -> Iterator[Piece]:
    yield Piece(f"{safe_text(entry.label).text} ", "dim")
    yield Piece(f"{safe_text(entry.text).text}   ", entry.style)
