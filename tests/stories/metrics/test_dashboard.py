"""The dashboard: what it shows at a glance, where each number leads, by key and by mouse, and without colour."""

from __future__ import annotations

import re

import pytest

from svc_tui.console.areas.metrics import dashboard_view
from svc_tui.console.areas.metrics.dashboard_view import DashboardView
from svc_tui.console.areas.voice import home
from svc_tui.console.terminal.picture import Picture
from svc_tui.console.terminal.updates import Terminal
from svc_tui.console.widgets.board import Board
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired
from tests.support.blank import largest_blank

#: The most bytes of the first picture at 200x60, and of a refresh.
FIRST, REFRESH = 12 * 1024, 1024
#: The request for the recent changes.
AUDIT = b"GET /api/svc/audit/v1.0/records"
PARTNER = "demo@demo.example"


async def shown(person: Story) -> DashboardView:
    await person.is_ready()
    await person.goes("dashboard")
    await person.sees("Dashboard of", "Licences")
    await person.is_ready()
    view = person.app.frame.view
    assert isinstance(view, DashboardView)
    await person.pilot.pause()
    return view


def sent(person: Story, terminal: Terminal) -> int:
    """The bytes that a terminal gets for what the console shows now."""
    wanted = Picture()
    frame = person.app.screen._compositor.render_update(full=True)
    wanted.draw(frame.render_segments(person.app.console))
    return len(terminal.show(wanted).encode())


async def test_the_largest_dashboard_takes_few_bytes_and_is_drawn_once(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    show = Board.show

    def counted(board: Board, rows: object = None) -> None:
        show(board, rows)  # type: ignore[arg-type]
        drawn.append(len(board._placed))

    monkeypatch.setattr(Board, "show", counted)
    monkeypatch.setattr(home, "MOST_ASKED", 0)
    async with wired(service) as (wire, url), story(profile(url, PARTNER), size=(200, 60)) as person:
        await person.is_ready()
        wire.hold = AUDIT
        await person.goes("dashboard")
        await person.until(wire.held.is_set, "nothing is held")
        log = person.app.frame.workspace.log
        await person.until(
            lambda: [call.status for call in log.exchanges].count(0) <= 1, "more than one is in progress"
        )
        # The numbers have arrived, and wait for what is drawn with them.
        assert set(drawn) <= {0, 1}
        drawn.clear()
        wire.released.set()
        await person.sees("Recent changes", "Licences", "Users connected today")
        await person.is_ready()
        assert len(drawn) == 1
        terminal = Terminal(erases_in_colour=True)
        # As where the system leaves a line feed as it is.
        terminal.down = "\n"
        assert sent(person, terminal) <= FIRST
        view = person.app.frame.view
        assert isinstance(view, DashboardView)
        await person.press("r")
        await person.until(lambda: len(drawn) > 1, "it was not read again")
        assert sent(person, terminal) <= REFRESH
        assert sent(person, terminal) == 0


async def test_what_takes_long_is_added_to_what_is_shown(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard_view, "PATIENCE", 0.05)
    async with wired(service) as (wire, url), story(profile(url, PARTNER), size=(120, 40)) as person:
        await person.is_ready()
        wire.hold = AUDIT
        await person.goes("dashboard")
        await person.until(wire.held.is_set, "nothing is held")
        await person.sees("Users connected today", "Customers", "Licences")
        await person.does_not_see("Recent changes")
        wire.released.set()
        await person.sees("Recent changes", "Licences")


@pytest.mark.parametrize("size", [(200, 60), (120, 40), (80, 24)])
@pytest.mark.parametrize("who", [PARTNER, "company_admin@demo.example", "support@demo.example"])
async def test_panels_fill_the_terminal(service: str, who: str, size: tuple[int, int]) -> None:
    async with story(profile(service, who), size=size) as person:
        await shown(person)
        found = largest_blank(person.lines, least=(40, 8))
        assert found is None, f"{found} is blank\n{person.screen}"
        assert "Users connected today" in person.screen
        # The scale begins with zero, and is read from the left.
        assert any(re.match(r" *0 ", line) for line in person.lines)


async def test_telephone_systems_show_how_many_devices_are_online_once_these_were_asked(service: str) -> None:
    async with story(profile(service, PARTNER), size=(200, 60)) as person:
        view = await shown(person)
        await person.sees_line(r"Bluebird switchb\S+ +━+─* +\d/5 online")
        await person.sees_line(r"Storm & Sons voice +━+─* +\d+/48 online")
        asked = [call for call in person.app.frame.workspace.log.exchanges if "registrations" in call.operation_id]
        assert asked
        # They are not asked again with every refresh.
        view.refresh_now()
        await person.is_ready()
        await person.pilot.pause()
        again = [call for call in person.app.frame.workspace.log.exchanges if "registrations" in call.operation_id]
        assert len(again) == len(asked)


async def test_every_number_opens_where_it_leads(service: str) -> None:
    async with story(profile(service, PARTNER), size=(200, 60)) as person:
        view = await shown(person)
        for key, number in (("tile usages_webrtc", "calls"), ("tile usages_chat", "chats")):
            assert view.board.go(key)
            await person.press("enter")
            await person.sees("▸ Statistics", f"Harbour Telecom Partners   {number}", "the company and its customers")
            await person.press("esc")
        leads = {key for items in view.board._items.values() for item in items if (key := item.key).startswith("to ")}
        kinds = {"subscriptions", "sipdevices", "audit", "statistics"}
        assert {kind for kind in kinds if any(f"/{kind}" in key or f" {kind}/" in key for key in leads)} == kinds
        for kind, seen in (
            ("sipdevices", "SIP devices"),
            ("audit", "Name of the record"),
            ("subscriptions", "Billing rate plan ID"),
        ):
            assert view.board.go(next(key for key in sorted(leads) if f"/{kind}" in key or f" {kind}/" in key))
            await person.press("enter")
            await person.sees(seen)
            await person.press("esc")
            await person.sees("Telephone systems")


async def test_keys_and_mouse_reach_every_panel(service: str) -> None:
    async with story(profile(service, PARTNER), size=(200, 60)) as person:
        view = await shown(person)
        await person.press("g", "g")
        seen = []
        for _ in range(20):
            seen.append(view.board.panel)
            await person.press("tab")
        assert {"customers", "chart", "days", " Licences", " Due", " Recent changes"} <= set(seen)
        assert view.board.go("tile users_dailyConnected")
        await person.press("right")
        assert view.board.key == "tile usages_webrtc"
        await person.press("down")
        assert view.board.key == "chart"
        before = person.screen
        await person.press("left")
        await person.until(lambda: person.screen != before, "the day is the same")
        spot = next(each for each in view.board._drawn.spots if each.panel == " Due")
        await person.pilot.click(Board, offset=(spot.region.x + 3, spot.region.y))
        await person.sees("Billing rate plan ID")


async def test_the_chart_shows_the_number_of_the_tile_and_customers_are_sorted_by_any_column(service: str) -> None:
    async with story(profile(service, PARTNER), size=(120, 40)) as person:
        view = await shown(person)
        assert view.board.go("tile usages_webrtc")
        await person.press("m")
        await person.does_not_see("Users connected today")
        assert view.board.go("chart")
        await person.press("m")
        await person.sees("KPI", "Type to search")
        await person.type("users in all")
        await person.press("enter")
        await person.sees("Users in all")
        await person.press("s")
        await person.sees("Sort customers", "Type to search")
        await person.type("name")
        await person.press("enter")
        await person.sees_line(r"NAME ▲")
