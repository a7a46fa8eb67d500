"""Cells that change while they are shown are highlighted once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from rich.segment import Segment
from textual.pilot import Pilot

from svc_tui.console.widgets.list import drawn_list
from tests.console.widgets.list.listing import MemoryRows, people
from tests.console.widgets.list.test_record_list import Host, running

HOURS = 3600.0


@pytest.fixture(autouse=True)
def hours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A highlight stays until a test ends it."""
    monkeypatch.setattr(drawn_list, "FLASH_SECONDS", HOURS)


def highlighted(app: Host) -> list[tuple[int, str]]:
    """The line and text of each highlighted cell: in reverse, outside the line of the cursor."""
    return [
        (y, segment.text.strip())
        for y in range(1, app.list.size.height)
        if y - 1 != app.list.cursor - app.list.top
        for segment in segments(app, y)
        if segment.style is not None and segment.style.reverse
    ]


def segments(app: Host, y: int) -> Iterator[Segment]:
    return iter(app.list.render_line(y))


async def changed(rows: MemoryRows, pilot: Pilot[None], at: int, **values: Any) -> None:
    """The service has other values of a record."""
    rows.records[at] = {**rows.records[at], **values}
    rows.tell(frozenset({at}))
    await pilot.pause()


async def first_answer(rows: MemoryRows, pilot: Pilot[None]) -> None:
    """The rows come from the service."""
    rows.tell(None)
    await pilot.pause()


async def test_a_changed_cell_is_highlighted_and_only_that() -> None:
    rows = MemoryRows(people(5))
    async with running(rows, is_live=lambda: True) as (app, pilot):
        await first_answer(rows, pilot)
        assert highlighted(app) == []
        await changed(rows, pilot, 2, state="failed")
        assert highlighted(app) == [(3, "× failed")]


async def test_what_no_column_shows_does_not_flash() -> None:
    rows = MemoryRows(people(5))
    async with running(rows, is_live=lambda: True) as (app, pilot):
        await first_answer(rows, pilot)
        await changed(rows, pilot, 2, lastUpdateDate="now")
        assert highlighted(app) == []


async def test_rows_that_replace_those_of_the_cache_do_not_flash() -> None:
    rows = MemoryRows(people(5))
    live = False
    async with running(rows, is_live=lambda: live) as (app, pilot):
        await first_answer(rows, pilot)
        live = True
        await changed(rows, pilot, 2, state="failed")
        assert highlighted(app) == []
        await changed(rows, pilot, 2, state="active")
        assert highlighted(app) == [(3, "● active")]


async def test_a_record_that_moved_is_still_the_same_record() -> None:
    rows = MemoryRows(people(5))
    async with running(rows, is_live=lambda: True) as (app, pilot):
        await first_answer(rows, pilot)
        after = people(5)
        after[1]["state"] = "new"
        rows.replace([*people(1, start=50), *after])
        await pilot.pause()
        assert highlighted(app) == [(3, "new")]


async def test_other_rows_after_a_filter_or_another_order_do_not_flash() -> None:
    rows = MemoryRows(people(5))
    async with running(rows, is_live=lambda: True) as (app, pilot):
        await first_answer(rows, pilot)
        other = MemoryRows([{**each, "state": "failed"} for each in people(5)])
        app.list.set_rows(other)
        other.tell(None)
        await pilot.pause()
        assert highlighted(app) == []


async def test_the_highlight_ends_with_one_repaint_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_list, "FLASH_SECONDS", 0.05)
    rows = MemoryRows(people(5))
    async with running(rows, is_live=lambda: True) as (app, pilot):
        await first_answer(rows, pilot)
        drawn: list[int] = []
        draw = app.list._refresh_line

        def counted(index: int) -> None:
            drawn.append(index)
            draw(index)

        monkeypatch.setattr(app.list, "_refresh_line", counted)
        await changed(rows, pilot, 2, state="failed")
        async with asyncio.timeout(10):
            while highlighted(app):
                await pilot.pause(0.01)
        # With the change itself, for the highlight, and at its end.
        assert drawn == [2, 2, 2]
        assert app.list._flashes._timer is None


async def test_in_the_selected_row_the_highlight_differs_from_the_cursor() -> None:
    rows = MemoryRows(people(5))
    async with running(rows, is_live=lambda: True) as (app, pilot):
        await first_answer(rows, pilot)
        await changed(rows, pilot, 0, state="failed")
        looks = {segment.style for segment in segments(app, 1) if segment.text.strip()}
        assert len(looks) == 2


async def test_without_colours_the_highlight_is_readable_in_the_selected_row_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    rows = MemoryRows(people(5))
    async with running(rows, is_live=lambda: True) as (app, pilot):
        await first_answer(rows, pilot)
        await changed(rows, pilot, 0, state="failed")
        await changed(rows, pilot, 2, state="failed")
        assert highlighted(app) == [(3, "× failed")]
        (cell,) = [each for each in segments(app, 1) if each.text.strip() == "× failed"]
        assert cell.style is not None and not cell.style.reverse and cell.style.bold
