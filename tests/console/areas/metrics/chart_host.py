"""A small program around the chart, for what it sends through a pseudo terminal."""

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import Static

from svc_tui.console.areas.metrics.chart import Chart
from svc_tui.console.terminal.driver import driver_class
from svc_tui.console.terminal.theme import THEMES
from svc_tui.workspace.metrics.series import Series

DAYS = 31


class Host(App[None], inherit_bindings=False):
    """Two months of numbers; the arrows move the cursor, `r` shows the same numbers again."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [Binding("left", "move(-1)"), Binding("right", "move(1)"), Binding("r", "again")]

    def __init__(self) -> None:
        super().__init__(driver_class=driver_class())

    def compose(self) -> ComposeResult:
        yield Chart()
        yield Static("? Help")

    def on_mount(self) -> None:
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "dark"
        self.query_one(Chart).focus()
        self.call_after_refresh(self.action_again)

    def action_move(self, by: int) -> None:
        self.query_one(Chart).move(by)

    def action_again(self) -> None:
        self.query_one(Chart).show([_month(9), _month(10)])


def _month(number: int) -> Series:
    starts = tuple(f"2026-{number:02d}-{day + 1:02d}" for day in range(DAYS))
    return Series(f"2026-{number:02d}", starts, tuple((number * day * 7919) % 5000 for day in range(DAYS)))


if __name__ == "__main__":
    Host().run()
