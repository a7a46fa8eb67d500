"""The list of a view, which is looked up once."""

from __future__ import annotations

from textual.app import App, ComposeResult

from svc_tui.console.core.places import Place
from svc_tui.console.terminal.theme import THEMES
from svc_tui.console.views.rows_view import RowsView
from svc_tui.console.widgets.list.columns import Column
from svc_tui.console.widgets.list.record_list import RecordList
from tests.console.widgets.list.listing import MemoryRows, people


def _list() -> RecordList:
    return RecordList((Column(field="name", title="Name", width=12),), MemoryRows(people(3)))


class _Rows(RowsView):
    def compose(self) -> ComposeResult:
        yield _list()


class _Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.view = _Rows(Place(("applications",)))
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "terminal"

    def compose(self) -> ComposeResult:
        yield self.view


async def test_a_list_that_was_removed_is_not_used_any_more() -> None:
    app = _Host()
    async with app.run_test():
        first, view = app.view.records, app.view
        assert view.drawn and view.records is first
        await first.remove()
        assert not view.drawn and view.replaced_at == 0.0
        second = _list()
        await view.mount(second)
        assert view.drawn and view.records is second
