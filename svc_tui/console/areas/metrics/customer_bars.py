"""The customers of a partner as bars, sorted by any of their numbers or by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from svc_tui.console.terminal.text import fit, safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.board_layout import Item, Panel
from svc_tui.console.widgets.graphics import bar
from svc_tui.interface.data import RecordData
from svc_tui.language import _, number_text
from svc_tui.workspace.metrics.series import numbers_of

NAME = "name"
#: The columns after the name, by flat name; those at the end are left out first.
COLUMNS = {
    "users_total": _("USERS"),
    "users_dailyConnected": _("TODAY"),
    "usages_webrtc": _("CALLS"),
    "usages_chat": _("CHATS"),
    "users_newUser": _("NEW"),
}
#: Columns of a number, of the narrowest name, and of the bar.
_NUMBER, _NAME, _BAR, _WIDEST_BAR = 8, 16, 8, 16


@dataclass(frozen=True, slots=True)
class _Customer:
    id: str
    name: str
    numbers: dict[str, int] = field(default_factory=dict)


class CustomerBars:
    """The customers and their order."""

    def __init__(self) -> None:
        self._customers: Sequence[_Customer] = ()
        self.sorted_by, self.descending = "users_total", True

    @property
    def numbers(self) -> list[tuple[str, dict[str, int]]]:
        """What is shown of each customer."""
        return [(each.id, each.numbers) for each in self._customers]

    def take(self, rows: Sequence[RecordData]) -> list[tuple[str, dict[str, int]]]:
        """Show these customers; returns what is shown of them."""
        self._customers = [
            _Customer(
                str(row.get("companyId") or ""), safe_text(str(row.get("companyName") or "?")).text, numbers_of(row)
            )
            for row in rows
        ]
        return self.numbers

    def sort_by(self, column: str) -> None:
        """Sort by a column, the largest first and names from A; by the same one again in the other direction."""
        self.descending = not self.descending if column == self.sorted_by else column != NAME
        self.sorted_by = column

    def panel(self, stats: RecordData, *, unicode: bool) -> Panel | None:
        """The panel; None without customers."""
        if not self._customers:
            return None

        def draw(width: int, height: int) -> Sequence[Item]:
            return self._items(width, unicode)

        return Panel(
            "customers",
            _(" Customers"),
            draw,
            2 + len(self._customers),
            least=4,
            note=number_text(len(self._customers)),
        )

    def _sorted(self) -> list[_Customer]:
        by_name = sorted(self._customers, key=lambda each: each.name.casefold())
        if self.sorted_by == NAME:
            return by_name[::-1] if self.descending else by_name
        return sorted(by_name, key=lambda each: each.numbers.get(self.sorted_by, 0), reverse=self.descending)

    def _items(self, width: int, unicode: bool) -> list[Item]:
        numbers = list(COLUMNS)
        while len(numbers) > 1 and width - _NUMBER * len(numbers) < _NAME + _BAR:
            numbers.pop()
        if self.sorted_by not in (NAME, *numbers):
            numbers[-1] = self.sorted_by
        rest = width - 1 - _NUMBER * len(numbers)
        longest = max(cell_len(each.name) for each in self._customers)
        wide = min(_WIDEST_BAR, max(_BAR, rest - longest - 1))
        name = rest - wide - bool(wide)
        measured = numbers[0] if self.sorted_by == NAME else self.sorted_by
        highest = max(each.numbers.get(measured, 0) for each in self._customers)
        found = [Item((self._head(numbers, name, rest),), "sort", stops=False)]
        for each in self._sorted():
            share = bar(each.numbers.get(measured, 0), highest, wide, unicode=unicode)
            counts = [number_text(each.numbers.get(number, 0)) for number in numbers]
            found.append(
                Item(
                    (
                        (
                            Piece(f" {fit(each.name, name)}{' ' * bool(wide)}"),
                            Piece(share, "bar"),
                            Piece("".join(fit(count, _NUMBER, "right") for count in counts)),
                        ),
                    ),
                    f"company {each.id}",
                    ", ".join(
                        [
                            each.name,
                            *(
                                f"{COLUMNS[number].lower()} {count}"
                                for number, count in zip(numbers, counts, strict=True)
                            ),
                        ]
                    ),
                )
            )
        return found

    def _head(self, numbers: Sequence[str], name: int, rest: int) -> tuple[Piece, ...]:
        arrow = "▼" if self.descending else "▲"

        def titled(column: str, title: str) -> str:
            return f"{title} {arrow}" if column == self.sorted_by else title

        titles = "".join(fit(titled(number, COLUMNS[number]), _NUMBER, "right") for number in numbers)
        return (Piece(f" {fit(titled(NAME, _('NAME')), rest)}{titles}", "dim"),)
