"""The list widget: what is drawn, where the cursor is, what is marked, whatever comes and goes underneath."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Static

from svc_tui.console.terminal.theme import THEMES
from svc_tui.console.widgets.list.columns import Column
from svc_tui.console.widgets.list.messages import ListMessage
from svc_tui.console.widgets.list.record_list import RecordList
from tests.console.widgets.list.listing import MemoryRows, people

COLUMNS = (
    Column(field="name", title="Name", width=12, flex=1, sort_field="name"),
    Column(field="state", title="State", width=8, state={"active": ("active", "ok"), "failed": ("failed", "bad")}),
    Column(field="seats.used", title="Seats", width=6, align="right", sort_field="seatsUsed", priority=1),
)


class Host(App[None]):
    """A list between two lines, and the messages it posted."""

    def __init__(self, rows: MemoryRows | None, **options: Any) -> None:
        super().__init__()
        self.list = RecordList(COLUMNS, rows, **options)
        self.told: list[ListMessage] = []
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = "terminal"

    def compose(self) -> ComposeResult:
        yield Static("above")
        yield self.list

    def on_mount(self) -> None:
        self.list.focus()

    def on_event_of_list(self, message: ListMessage) -> None:
        self.told.append(message)

    on_record_list_moved = on_record_list_opened = on_record_list_marks_changed = on_event_of_list
    on_record_list_marking_failed = on_record_list_sort_changed = on_event_of_list

    def last(self, kind: type[Message]) -> Any:
        """The last message of a kind."""
        return [message for message in self.told if isinstance(message, kind)][-1]


@asynccontextmanager
async def running(
    rows: MemoryRows | None, size: tuple[int, int] = (40, 12), **options: Any
) -> AsyncIterator[tuple[Host, Pilot[None]]]:
    """A host with a list of 10 lines below its header."""
    app = Host(rows, **options)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        await pilot.pause()
        yield app, pilot


def lines(app: Host) -> list[str]:
    """What the list draws, line by line."""
    return [app.list.render_line(y).text.rstrip() for y in range(app.list.size.height)]


async def test_only_what_is_seen_is_read_and_drawn() -> None:
    rows = MemoryRows(people(100_000))
    async with running(rows) as (app, pilot):
        assert lines(app)[:3] == [
            " NAME                  STATE       SEATS",
            "▌Name 0                ● active        0",
            " Name 1                × failed        1",
        ]
        app.list.end()
        await pilot.pause()
        assert lines(app)[-1].startswith("▌Name 99999")
        assert rows.wanted == [(0, 19), (99_980, 99_999)]
        assert len(app.list._lines) < 50


async def test_memory_is_bounded_however_far_one_scrolls() -> None:
    async with running(MemoryRows(people(5000))) as (app, _):
        for _page in range(300):
            app.list.page(1)
            lines(app)
        assert len(app.list._lines) <= 1024


async def test_a_replaced_record_is_drawn_with_its_current_values() -> None:
    rows = MemoryRows(people(5))
    async with running(rows) as (app, pilot):
        told = len(app.told)
        rows.records[2] = {"id": "id2", "name": "New name", "state": "new"}
        rows.tell(frozenset({2}))
        await pilot.pause()
        assert lines(app)[3].startswith(" New name")
        assert len(app.told) == told
        rows.records[0] = {"id": "id0", "name": "Other", "state": "new"}
        rows.tell(range(1))
        await pilot.pause()
        assert app.last(RecordList.Moved).row["name"] == "Other"
        rows.records[3] = {"id": "id3", "name": "Unannounced", "state": "new"}
        assert lines(app)[4].startswith(" Unannounced")


async def test_a_state_has_its_colour_and_the_cursor_is_reversed() -> None:
    async with running(MemoryRows(people(3))) as (app, _):
        cursor, second = app.list.render_line(1), app.list.render_line(2)
        assert len(cursor._segments) == 1
        assert cursor._segments[0].style is not None and cursor._segments[0].style.reverse
        (bad,) = [segment for segment in second if segment.text.strip() == "× failed"]
        assert bad.style is not None
        assert bad.style.color is not None and bad.style.color.number == 1


async def test_records_that_are_not_here_yet_are_drawn_when_they_come() -> None:
    rows = MemoryRows(people(50), here=False)
    async with running(rows) as (app, pilot):
        assert lines(app)[1] == " Loading…"
        assert rows.wanted[0][0] == 0
        rows.bring(0, 4)
        await pilot.pause()
        assert lines(app)[5].startswith(" Name 4")
        assert lines(app)[6] == " …"
        assert app.list.cursor_id == "id0"
        assert app.last(RecordList.Moved).row["name"] == "Name 0"


async def test_an_empty_list_has_a_text() -> None:
    async with running(MemoryRows([]), empty="No companies match.") as (app, _):
        assert lines(app)[1:3] == [" No companies match.", ""]
        app.list.move(1)
        app.list.end()
        app.list.toggle_mark()
        app.list.open()
        assert app.list.targets == ()


async def test_the_cursor_stays_on_its_record_when_others_come_before_it() -> None:
    rows = MemoryRows(people(50))
    async with running(rows) as (app, pilot):
        app.list.go(20)
        line = app.list.cursor - app.list.top
        rows.replace(people(5, start=500) + people(50))
        await pilot.pause()
        assert (app.list.cursor, app.list.cursor_id) == (25, "id20")
        assert app.list.cursor - app.list.top == line


async def test_the_cursor_stays_in_place_when_its_record_is_removed() -> None:
    rows = MemoryRows(people(50))
    async with running(rows) as (app, pilot):
        app.list.go(20)
        rows.replace([record for record in people(50) if record["id"] != "id20"])
        await pilot.pause()
        assert (app.list.cursor, app.list.cursor_id) == (20, "id21")
        rows.replace(people(3))
        await pilot.pause()
        assert (app.list.cursor, app.list.cursor_id) == (2, "id2")


async def test_during_a_refresh_the_cursor_waits_for_its_record() -> None:
    rows = MemoryRows(people(50))
    async with running(rows) as (app, pilot):
        app.list.go(20)
        rows.refreshing = True
        rows.replace(people(10, start=500))
        await pilot.pause()
        assert app.list.cursor_id == "id20"
        rows.refreshing = False
        rows.replace(people(10, start=500) + people(50))
        await pilot.pause()
        assert (app.list.cursor, app.list.cursor_id) == (30, "id20")


async def test_the_cursor_moves_into_a_list_that_became_shorter_when_the_refresh_ends() -> None:
    rows = MemoryRows(people(50))
    async with running(rows) as (app, pilot):
        app.list.go(40)
        rows.refreshing = True
        rows.replace(people(5, start=500))
        await pilot.pause()
        assert lines(app)[1].startswith(" Name 500")
        assert app.list.cursor_id == "id40"
        rows.refreshing = False
        rows.tell(frozenset())
        await pilot.pause()
        assert (app.list.cursor, app.list.cursor_id) == (4, "id504")
        assert lines(app)[5].startswith("▌Name 504")


async def test_a_place_is_found_again_by_the_id_of_its_record() -> None:
    rows = MemoryRows(people(50), here=False)
    async with running(None) as (app, pilot):
        rows.refreshing = True
        app.list.set_rows(rows, cursor_id="id30")
        rows.bring(0, 9)
        await pilot.pause()
        assert app.list.cursor_id == "id30"
        rows.refreshing = False
        rows.bring(10, 49)
        await pilot.pause()
        assert (app.list.cursor, app.list.cursor_id) == (30, "id30")


async def test_marks_survive_scrolling_sorting_and_refreshing() -> None:
    rows = MemoryRows(people(50))
    async with running(rows) as (app, pilot):
        app.list.toggle_mark()
        app.list.go(30)
        app.list.toggle_mark()
        assert app.list.cursor == 31
        app.list.set_rows(MemoryRows(reversed(people(50))))
        await pilot.pause()
        assert app.list.targets == ("id0", "id30")
        app.list.go(19)
        await pilot.pause()
        assert "*Name 30" in "\n".join(lines(app))
        assert app.last(RecordList.MarksChanged).count == 2
        app.list.clear_marks()
        assert list(app.list.targets) == [app.list.cursor_id]


async def test_a_marked_record_under_the_cursor_shows_both() -> None:
    async with running(MemoryRows(people(5))) as (app, _):
        app.list.toggle_mark()
        app.list.move(-1)
        line = app.list.render_line(1)
        assert line.text.startswith("*Name 0")
        assert line._segments[0].style is not None and line._segments[0].style.reverse


async def test_a_range_is_marked_from_the_last_mark_to_the_cursor() -> None:
    async with running(MemoryRows(people(50))) as (app, _):
        app.list.go(10)
        app.list.toggle_mark()
        app.list.go(7)
        app.list.mark_range()
        assert set(app.list.marks) == {"id7", "id8", "id9", "id10"}
        app.list.go(5)
        app.list.mark_range()
        assert len(app.list.marks) == 6


async def test_a_range_over_records_that_were_never_here_is_read() -> None:
    rows = MemoryRows(people(50), here=False)
    async with running(rows) as (app, pilot):
        rows.bring(0, 4)
        rows.bring(40, 49)
        await pilot.pause()
        app.list.toggle_mark()
        app.list.go(42)
        app.list.mark_range()
        await app.workers.wait_for_complete()
        assert list(app.list.marks) == [f"id{i}" for i in range(43)]


async def test_all_that_match_are_marked_even_those_never_seen() -> None:
    async with running(MemoryRows(people(5000))) as (app, pilot):
        app.list.mark_all()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.last(RecordList.MarksChanged).count == 5000
        assert lines(app)[2].startswith("*Name 1")


class SlowRows(MemoryRows):
    """After half of the ids it waits."""

    def __init__(self) -> None:
        super().__init__(people(1000))
        self.asked = 0
        self.halfway, self.go_on = asyncio.Event(), asyncio.Event()

    async def ids(self) -> AsyncIterator[str]:
        self.asked += 1
        for index, record in enumerate(self.records):
            if index == 500:
                self.halfway.set()
                await self.go_on.wait()
            yield record["id"]


async def test_marking_reports_its_progress_and_a_second_request_starts_nothing() -> None:
    rows = SlowRows()
    async with running(rows) as (app, _):
        app.list.mark_all()
        await rows.halfway.wait()
        assert app.list.marking == (500, 1000)
        app.list.mark_all()
        rows.go_on.set()
        await app.workers.wait_for_complete()
        assert (rows.asked, len(app.list.marks)) == (1, 1000)


async def test_marking_is_stopped_and_nothing_is_marked() -> None:
    rows = SlowRows()
    async with running(rows) as (app, pilot):
        app.list.mark_all()
        await rows.halfway.wait()
        app.list.stop_marking()
        rows.go_on.set()
        await pilot.pause()
        assert (app.list.marking, len(app.list.marks)) == (None, 0)
        app.list.mark_all()
        await app.workers.wait_for_complete()
        assert len(app.list.marks) == 1000


async def test_when_the_ids_cannot_be_read_no_record_is_marked_and_the_error_is_reported() -> None:
    rows = MemoryRows(people(5))
    rows.failure = ConnectionError("The service does not answer.")
    async with running(rows) as (app, pilot):
        app.list.mark_all()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert str(app.last(RecordList.MarkingFailed).error) == "The service does not answer."
        assert len(app.list.marks) == 0


async def test_sorting_is_asked_for_and_shown_in_the_header() -> None:
    async with running(MemoryRows(people(5))) as (app, pilot):
        app.list.sort_by("name")
        assert lines(app)[0].startswith(" NAME ▲")
        app.list.sort_by("name")
        assert lines(app)[0].startswith(" NAME ▼")
        app.list.sort_step(1)
        await pilot.pause()
        message = app.last(RecordList.SortChanged)
        assert (message.field, message.descending) == ("seatsUsed", False)
        assert sorted(app.list.sort_letters) == ["n", "s"]


async def test_without_unicode_every_sign_is_ascii() -> None:
    async with running(MemoryRows(people(30), here=False), unicode=False) as (app, pilot):
        app.list.show_sort("name", descending=True)
        app.list.rows.bring(0, 2)  # type: ignore[union-attr]
        await pilot.pause()
        drawn = lines(app)
        assert drawn[0].startswith(" NAME v")
        assert drawn[1].startswith(">Name 0")
        assert drawn[4] == " ~"
        assert all(line.isascii() for line in drawn)


async def test_a_narrow_terminal_shows_fewer_columns_after_a_resize() -> None:
    async with running(MemoryRows(people(50))) as (app, pilot):
        app.list.end()
        await pilot.resize_terminal(24, 8)
        await pilot.pause()
        assert lines(app)[0] == " NAME         STATE"
        assert lines(app)[-1].startswith("▌Name 49")
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert "SEATS" in lines(app)[0]
        assert lines(app)[-1].startswith("▌Name 49")


async def test_a_click_goes_there_a_double_click_opens() -> None:
    async with running(MemoryRows(people(50))) as (app, pilot):
        await pilot.click(app.list, offset=(5, 4))
        assert app.list.cursor == 3
        await pilot.click(app.list, offset=(5, 6), times=2)
        await pilot.pause()
        assert app.last(RecordList.Opened).record_id == "id5"


async def test_a_click_with_ctrl_marks_and_with_shift_marks_up_to_there() -> None:
    async with running(MemoryRows(people(50))) as (app, pilot):
        await pilot.click(app.list, offset=(5, 3), control=True)
        assert lines(app)[3].startswith("*Name 2")
        await pilot.click(app.list, offset=(5, 3), control=True)
        assert lines(app)[3].startswith("▌Name 2")
        await pilot.click(app.list, offset=(5, 3), control=True)
        await pilot.click(app.list, offset=(5, 6), shift=True)
        assert set(app.list.marks) == {"id2", "id3", "id4", "id5"}


async def test_a_click_on_a_title_sorts() -> None:
    async with running(MemoryRows(people(5))) as (app, pilot):
        await pilot.click(app.list, offset=(3, 0))
        await pilot.pause()
        assert app.last(RecordList.SortChanged).field == "name"
        await pilot.click(app.list, offset=(27, 0))
        await pilot.pause()
        assert app.last(RecordList.SortChanged).field == "name"


async def test_the_wheel_scrolls_and_takes_the_cursor_along_at_the_edge() -> None:
    async with running(MemoryRows(people(50))) as (app, pilot):
        app.list.scroll_rows(3)
        assert (app.list.top, app.list.cursor) == (3, 3)
        app.list.go(5)
        app.list.scroll_rows(-3)
        assert (app.list.top, app.list.cursor) == (0, 5)
        await pilot.pause()


async def test_a_closed_list_gets_no_more_events_of_its_rows() -> None:
    first, second = MemoryRows(people(5)), MemoryRows(people(5))
    async with running(first) as (app, _):
        app.list.set_rows(second)
        assert (first.subscribers, second.subscribers) == (0, 1)
        await app.list.remove()
        assert second.subscribers == 0


@pytest.mark.parametrize("data", ["[/x]", "[@click=app.quit]x[/]", "\x1b]52;c;cHduZWQ=\x07", "\ud800", "\u202eabc"])
async def test_hostile_names_are_drawn_and_do_nothing(data: str) -> None:
    rows = MemoryRows([{"id": data, "name": data, "state": data, "seats": {"used": data}}])
    async with running(rows) as (app, pilot):
        app.list.toggle_mark()
        await pilot.click(app.list, offset=(5, 1))
        drawn = lines(app)[1]
        assert "\x1b" not in drawn and "\u202e" not in drawn and "\ud800" not in drawn
        assert ("⚠" in drawn) is (not data.startswith("["))
