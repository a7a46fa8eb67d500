"""The help for a view in two columns, from the registry of actions: the keys of the footer first, then all others in
groups, each with why it is not available. What is typed searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import DescendantFocus

from svc_tui.console.core.actions import Registry, actions_here
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, wrapped
from svc_tui.language import _

#: Example -> its meaning.
SYNTAX = {
    "north": _("In any column, or in a field that identifies the record"),
    '"north west"': _("A text with spaces"),
    "!north": _("Not this text; can precede every other form"),
    "~nwt": _("These letters in this order"),
    "/^app \\d+$/": _("A regular expression"),
    "state:active": _("In one column; the beginning of its heading is enough"),
    "state:!active": _("Not in this column"),
    "state:=active": _("Exactly this value"),
    "created:>2026-01": _("After a date or number; also >=, < and <="),
    "created > 2026-01": _("The same: spaces, and a sign without the colon, mean no difference"),
    "date:2026..2027": _("From one to the other, both included"),
    "north type:web": _("All words must match"),
}


#: The columns for keys, more in a group with longer ones, and the columns of gutter and gaps beside them.
_KEYS, _BESIDE = 14, 5
#: The fewest columns of a sheet that has whole sentences; a narrower one has the labels.
_SENTENCES = 56


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the help: the keys, the label, the sentence, and why it is not available."""

    group: str
    keys: str
    label: str
    help: str
    reason: str = ""
    name: str = ""

    def matches(self, text: str) -> bool:
        """Whether it contains all words."""
        content = " ".join((self.keys, self.label, self.help, self.reason, self.group)).casefold()
        return all(word in content for word in text.casefold().split())

    def lines(self, width: int, keys: int) -> Iterator[Line]:
        """Its lines in a sheet of this width, with `keys` columns for the keys; 0 are those of the sheet."""
        text = self.help if width >= _SENTENCES else self.label
        room = max(8, width - (keys or _KEYS) - _BESIDE)
        style = "dim" if self.reason else ""
        yield from wrapped(Line("field", self.keys, text, key=self.name, style=style, label_width=keys), room)
        if self.reason:
            said = _("not available: {reason}").format(reason=self.reason)
            # Never of the search: the line that it belongs to is one item with it.
            yield from wrapped(Line("field", "", said, key=self.name, style="warn", label_width=keys), room)


class HelpSheet(Sheet):
    """A column of the help."""


class HelpView(SheetView):
    """The actions of the view below."""

    kind = "report"
    DEFAULT_CSS = "HelpView HelpSheet.next { border-left: solid $border-blurred; }"

    def __init__(self, context: Context) -> None:
        super().__init__(Place(("help",)))
        self._entries = list(entries(context))
        self._about = context.resource.title if context.resource else context.view.crumb
        self.search_text = ""
        self._latest: HelpSheet | None = None

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield HelpSheet(label_width=_KEYS, beside=True)
            yield HelpSheet(label_width=_KEYS, beside=True, classes="next")

    @property
    def crumb(self) -> str:
        return _("Help: {about}").format(about=self._about)

    @property
    def sheet(self) -> Sheet:
        return self._latest or self.query_one(HelpSheet)

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def take_key(self, event: events.Key) -> bool:
        """Search for what is typed; False for another key."""
        if event.is_printable and event.character and (event.character != " " or self.search_text):
            self._search(self.search_text + event.character)
        elif event.key == "backspace" and self.search_text:
            self._search(self.search_text[:-1])
        elif event.key == "escape" and self.search_text:
            self._search("")
        else:
            return False
        return True

    def _search(self, text: str) -> None:
        self.search_text = text
        self._draw()
        for sheet in self.query(HelpSheet):
            sheet.home()
        if not self.sheet.lines:
            self.query_one(HelpSheet).focus()
        self.notify_changed()

    @property
    def found(self) -> Sequence[Entry]:
        """The entries that the search finds."""
        return [entry for entry in self._entries if entry.matches(self.search_text)]

    def _draw(self) -> None:
        if not self.is_attached or not self.size.width:
            return
        width = self.size.width // 2
        blocks = [list(lines) for lines in _blocks(self.found, width)]
        left, right = _halves(blocks)
        first, second = self.query(HelpSheet)
        none = Line("text", value=self.with_keys(_("Nothing found. {back} clears the search.")), style="dim")
        first.show(left or [none])
        second.show(right)

    def next_pane(self) -> None:
        first, second = self.query(HelpSheet)
        (second if first.has_focus and second.lines else first).focus()

    @on(DescendantFocus)
    def _focused(self, event: DescendantFocus) -> None:
        if isinstance(event.widget, HelpSheet):
            self._latest = event.widget
            self.notify_changed(moved=True)

    @on(Sheet.Moved)
    def _moved(self) -> None:
        self.notify_changed(moved=True)

    def status(self) -> Sequence[Piece]:
        if self.search_text:
            found = _("   {found} found").format(found=len(self.found))
            search = Piece(f" /{safe_text(self.search_text).text}", "accent")
            return [search, Piece(found), Piece(self.with_keys(_("   {back} clears the search")), "dim")]
        key = self.sheet.line.key if self.sheet.line is not None else ""
        chosen = next((entry for entry in self._entries if key and entry.name == key), None)
        said = Piece(f" {chosen.help}" if chosen is not None else "", "accent")
        typing = Piece(_(" type to search  "), "dim")
        others = Piece(self.with_keys(_("   {next_pane} goes to the next column, {back} goes back")), "dim")
        # What a key does is not cut; the hints are beside it where there is room.
        room = self.size.width - cell_len(said.text)
        before = [typing] if cell_len(typing.text) < room else []
        room -= sum(cell_len(piece.text) for piece in before)
        return [*before, said, *([others] if cell_len(others.text) < room else [])]


def _blocks(entries: Sequence[Entry], width: int) -> Iterator[Iterator[Line]]:
    """The lines of each group, with its title."""
    for group in dict.fromkeys(entry.group for entry in entries):
        members = [entry for entry in entries if entry.group == group]
        # An example of a filter is longer than keys, and is typed as it stands here.
        longest = min(max(cell_len(entry.keys) for entry in members), width // 2)
        keys = longest if longest > _KEYS else 0
        lines = [Line("heading", group), *(line for entry in members for line in entry.lines(width, keys))]
        yield iter(lines)


def _halves(blocks: Sequence[Sequence[Line]]) -> tuple[list[Line], list[Line]]:
    """The groups in two columns of nearly the same height."""
    total, taken, left = sum(map(len, blocks)), 0, 0
    for number, block in enumerate(blocks):
        # A group belongs to the column in which most of it is.
        if taken + len(block) / 2 > total / 2:
            break
        taken, left = taken + len(block), number + 1
    left = max(left, min(1, len(blocks)))
    return [line for block in blocks[:left] for line in block], [line for block in blocks[left:] for line in block]


def entries(context: Context) -> Iterator[Entry]:
    """The keys of a view, those that are used most first."""
    registry = context.stage.registry
    actions = actions_here(context)
    used = registry.footer(context) if isinstance(registry, Registry) else []
    # The keys of the footer are those that are used most; the others stay in their groups.
    for action in (*used, *(action for action in actions if action not in used)):
        group = _("Most used") if action in used else action.group
        keys = " ".join(registry.keys.keys(action.name)) or _("no key")
        reason = action.why_not(context)
        yield Entry(group, keys, action.label, action.help_for(context.resource), reason, action.name)
    if context.view.kind == "list":
        title = registry.keys.sentence(_("Typed after {filter}"))
        yield from (Entry(title, example, meaning, meaning, name=f"={example}") for example, meaning in SYNTAX.items())
    for sentence in (*registry.keys.problems, *registry.keys.replaced):
        yield Entry(_("Key map"), "", sentence, sentence)
