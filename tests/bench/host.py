"""A small program around the list, for budgets and pictures measured through a pseudo terminal.

`python tests/bench/host.py [rows] [--plain] [--theme NAME] [--hostile] [--ask]`; `--plain` uses Textual's own
driver, and `--ask` asks what the terminal can do, as the console does when it is connected.
"""

import argparse
from collections.abc import AsyncIterator, Callable
from typing import Any

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import Static

from svc_tui.console.terminal.driver import driver_class, repaint, send
from svc_tui.console.terminal.round_trip import QUESTION
from svc_tui.console.terminal.theme import THEMES
from svc_tui.console.widgets.list.columns import Column
from svc_tui.console.widgets.list.record_list import RecordList
from svc_tui.workspace.core.events import ListChanged

FIRST = ("Ann", "Bob", "Cara", "Dev", "Ella", "Finn", "Gita", "Hugo", "Ines", "Jon", "Kaya", "Liam", "Mona", "Nils")
LAST = ("Smith", "Jones", "Garcia", "Kumar", "Rossi", "Weber", "Novak", "Silva", "Dubois", "Lindt", "Okoro")
SITES = ["HQ-1", "HQ-2", "LAB-3", "WH-4", "EDGE-5", "BR-6", "BR-7"]
MODELS = ["VT-410", "VT-420", "VT-600x", "DX-80", "DX-90i"]
#: The record that is changed: its state is another one before.
CHANGED = 3
STATES = ("online", "offline", "ringing", "error")
HOSTILE = (
    "\x1b]52;c;cHduZWQ=\x07copied",
    "\x1b[2J\x1b[1;1Hwiped",
    "\x1b]0;title\x07",
    "\u202egnp.exe",
    "a\u200bb\u2066c",
    "[/x][@click=app.quit]press[/]",
    "\x9b31mred \x90q\x9c",
    "line\r\nbreak\ttab\x7f",
    "\ud800 lone",
    "\x1bcreset \x1b(0 qqq",
    "日本語の名前です",
    "e" + "\u0301" * 40,
)
COLUMNS = (
    Column(field="id", title="ID", width=8, sort_field="id"),
    Column(field="name", title="Name", width=12, flex=1, sort_field="name"),
    Column(field="extension", title="Ext", width=5, align="right", priority=2),
    Column(field="contact.mail", title="Mail", width=14, priority=3),
    Column(field="site", title="Site", width=7, priority=1),
    Column(field="model", title="Model", width=8, priority=2),
    Column(
        field="state",
        title="State",
        width=8,
        state={"online": ("online", "ok"), "ringing": ("ringing", "warn"), "error": ("error", "bad")},
    ),
)


def record(number: int, hostile: bool = False) -> dict[str, Any]:
    """A realistic record, or one with hostile text."""
    name = f"{FIRST[number * 5 % len(FIRST)]} {LAST[number * 7 % len(LAST)]}"
    return {
        "id": f"R{number:06d}",
        "name": HOSTILE[number % len(HOSTILE)] if hostile else name,
        "extension": 2000 + number % 8000,
        "contact": {"mail": f"u{number}@ex.org"},
        "site": SITES[number * 3 % 7],
        "model": MODELS[number * 11 % 5],
        "state": STATES[number * 5 % 4],
    }


class Records:
    """Any number of records, made when they are read."""

    refreshing = False

    def __init__(self, total: int, hostile: bool = False) -> None:
        self.total = total
        self._hostile = hostile
        self._made: dict[int, dict[str, Any]] = {}
        self._changed: Callable[[Any], None] = lambda _: None

    def row(self, index: int) -> dict[str, Any]:
        """The record at a position."""
        if index not in self._made:
            self._made[index] = record(index + 1, self._hostile)
        return self._made[index]

    def request(self, first: int, last: int) -> None:
        """They are all at hand."""

    def index_of(self, record_id: str) -> int | None:
        """Where a record stands."""
        return int(record_id[1:]) - 1

    def subscribe(self, callback: Callable[[Any], None]) -> Callable[[], None]:
        """Only `change` changes records."""
        self._changed = callback
        return lambda: None

    def change(self, index: int) -> None:
        """The service has another state of a record."""
        self._made[index] = {**self.row(index), "state": "error"}
        self._changed(ListChanged(frozenset({index})))

    async def ids(self) -> AsyncIterator[str]:
        """Every id."""
        for number in range(self.total):
            yield f"R{number + 1:06d}"


class Host(App[None]):
    """The frame of the console around one list."""

    CSS = "#top, #status, #keys { height: 1; }"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        Binding("down", "list('move', 1)"),
        Binding("up", "list('move', -1)"),
        Binding("pagedown", "list('page', 1)"),
        Binding("pageup", "list('page', -1)"),
        Binding("home", "list('home')"),
        Binding("end", "list('end')"),
        Binding("space", "list('toggle_mark')"),
        Binding("a", "list('mark_all')"),
        Binding("s", "list('sort_step', 1)"),
        Binding("c", "change"),
        Binding("t", "toast"),
        Binding("r", "repaint"),
        Binding("q", "quit"),
    ]

    def __init__(self, rows: int, plain: bool, theme: str, hostile: bool, ask: bool) -> None:
        super().__init__(driver_class=None if plain else driver_class())
        for known in THEMES.values():
            self.register_theme(known)
        self.theme = theme
        self._records = Records(rows, hostile)
        self._asks = ask

    def compose(self) -> ComposeResult:
        """Crumbs, the list, the status, the keys."""
        yield Static(" demo ▸ Companies ▸ Northwind Telecom ▸ Devices", id="top", markup=False)
        yield RecordList(COLUMNS, self._records, is_live=lambda: True)
        yield Static(f" {self._records.total} devices   from cache, 4 min old", id="status", markup=False)
        yield Static(" enter Open  e Edit  n New  u Quote  x Delete  space Mark  ? Help", id="keys", markup=False)

    def on_mount(self) -> None:
        """Keys go to the list."""
        self.query_one(RecordList).focus()
        if self._asks:
            self.call_after_refresh(self.set_timer, 0.1, lambda: send(self, QUESTION))

    def action_list(self, name: str, *arguments: Any) -> None:
        """Call a method of the list."""
        getattr(self.query_one(RecordList), name)(*arguments)

    def action_change(self) -> None:
        """Change the state of a visible record."""
        self._records.change(CHANGED)

    def action_toast(self) -> None:
        """Put something over the list."""
        self.notify("Something happened, over the list.", timeout=600, markup=False)

    def action_repaint(self) -> None:
        """Draw everything again."""
        repaint(self)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=1000)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--theme", default="terminal")
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--ask", action="store_true")
    options = parser.parse_args()
    Host(options.rows, options.plain, options.theme, options.hostile, options.ask).run()


if __name__ == "__main__":
    main()
