"""Another part of a list, whose rows are being read: the last picture stays until they come."""

from __future__ import annotations

import pytest

from svc_tui.console.widgets.list import drawn_list
from svc_tui.console.widgets.list.record_list import RecordList
from tests.console.widgets.list.listing import MemoryRows, people
from tests.console.widgets.list.test_record_list import Host, lines, running


def seen(app: Host) -> list[str]:
    """What is on the screen of the list, which may be the picture before."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()][1:]


async def test_another_part_of_the_list_is_drawn_once_when_its_rows_have_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_list, "PATIENCE", 60)
    rows = MemoryRows(people(1000), here=False)
    async with running(rows) as (app, pilot):
        rows.bring(0, 30)
        await pilot.pause()
        before = seen(app)
        app.list.end()
        app.list.move(-1)
        await pilot.pause()
        assert seen(app) == before and app.list.cursor == 998
        rows.bring(980, 999)
        await pilot.pause()
        assert seen(app) == lines(app)
        assert seen(app)[-1] == " Name 999              ● active      999" and seen(app)[-2].startswith("▌Name 998")


async def test_rows_that_do_not_come_soon_are_drawn_as_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_list, "PATIENCE", 0.01)
    rows = MemoryRows(people(1000), here=False)
    async with running(rows) as (app, pilot):
        rows.bring(0, 30)
        await pilot.pause()
        app.list.end()
        while not app.list.lines_are_current:
            await pilot.pause(0.01)
        await pilot.pause()
        assert seen(app)[-1] == "▌…" and seen(app)[1] == " …"
        rows.bring(995, 999)
        await pilot.pause()
        assert seen(app) == lines(app) and seen(app)[-1].startswith("▌Name 999")


async def test_a_click_on_the_picture_of_another_part_selects_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_list, "PATIENCE", 60)
    rows = MemoryRows(people(1000), here=False)
    async with running(rows) as (app, pilot):
        rows.bring(0, 30)
        await pilot.pause()
        app.list.end()
        await pilot.click(RecordList, offset=(3, 4))
        assert app.list.cursor == 999
        rows.bring(980, 999)
        await pilot.pause()
        await pilot.click(RecordList, offset=(3, 4))
        assert app.list.cursor == app.list.top + 3
