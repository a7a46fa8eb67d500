"""A record on wide terminals: its fields beside its overview or in two panes, each with a cursor."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from svc_tui.console.views.detail import DetailView
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.interface.catalogue import operation
from tests.stories.beside import other_client
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired


def detail(s: Story) -> DetailView:
    """The record on top."""
    view = s.app.frame.view
    assert isinstance(view, DetailView)
    return view


def titles(s: Story) -> Sequence[str]:
    """The titles of the visible panes, which are in the line below the crumbs."""
    shown = [pane.title for pane in detail(s).panes.shown]
    assert all(any(f"─ {title} ─" in line for line in s.lines[1:6]) for title in shown), s.screen
    return shown


def fields(s: Story) -> list[list[str]]:
    """The fields of the record in each visible pane, without findings and sections."""
    sheets = [pane.query_one(Sheet) for pane in detail(s).panes.shown]
    return [
        [line.key for line in sheet.lines if line.kind == "field" and line.stops and line.key[0] not in "!@="]
        for sheet in sheets
    ]


async def opens_user(s: Story) -> None:
    """Open the overview of a user with three findings."""
    await s.is_ready()
    await s.goes("users rosa")
    await s.sees("Rosa O'Brien")
    await s.press("enter")
    await s.sees("no device is registered", "Account", "Telephone")
    await s.does_not_see("Checking…", "Loading…")


async def selects(s: Story, label: str) -> None:
    """Move down in the pane to the line with a label."""
    view = detail(s)
    while view.sheet.line is None or view.sheet.line.label != label:
        before = view.sheet.cursor
        await s.press("down")
        assert view.sheet.cursor != before, f"no line {label}\n{s.screen}"


@pytest.mark.parametrize(
    ("size", "names"),
    [((120, 40), ["Overview", "User"]), ((200, 60), ["Overview", "User", "More fields"])],
    ids=["120", "200"],
)
async def test_the_fields_are_beside_the_overview_and_link_to_other_records(
    service: str, size: tuple[int, int], names: Sequence[str]
) -> None:
    async with story(profile(service), size=size) as s:
        await opens_user(s)
        assert titles(s) == names
        view = detail(s)
        overview, *panes = fields(s)
        assert overview == []
        everything = [wire for pane in panes for wire in pane]
        assert len(everything) == len(set(everything)) > 20
        assert abs(len(panes[0]) - len(panes[-1])) <= 8
        await s.sees("Registration: Expiration date", "tab goes to the next pane")
        await s.press("tab")
        await s.sees_line(r"^ user .*tab goes to the next pane")
        await selects(s, "Company")
        await s.press("enter")
        await s.sees("▸ Northwind Telecom")
        await s.press("esc")
        await s.sees("▸ Rosa O'Brien")
        await s.press(":", "esc")
        assert view.field is not None
        assert view.field[0] == "companyId"
        assert view.field[1] == (view.record or {})["companyId"]
        await s.press("Y")
        await s.sees("Field companyId")
        await s.press("esc", *["tab"] * len(panes))
        await s.sees("Registration: Expiration date")


async def test_a_record_that_the_overview_reads_is_named_in_the_fields_when_it_arrives(service: str) -> None:
    async with other_client(service) as other:
        users = await other.send(operation("list_users"), query={"displayName": "Rosa O'Brien"})
        systems = await other.send(operation("list_cloudpbxs"), query={"companyId": users.body["data"][0]["companyId"]})
    async with wired(service) as (wire, url), story(profile(url), size=(200, 60)) as s:
        await s.is_ready()
        # Without a list, whose pane reads the company too.
        wire.hold = b"GET /api/svc/admin/v1.0/companies/"
        await s.goes(f"cloudpbxs/{systems.body['data'][0]['id']}")
        await s.until(wire.held.is_set, "nothing is held")
        await s.sees_line(r" Company +136b5139ece4abca859")
        wire.released.set()
        await s.sees_line(r" Company +Northwind Telecom  enter opens it")
        # The record of a user has the name of its company.
        await s.goes(f"users/{users.body['data'][0]['id']}")
        await s.sees_line(r" Company +Northwind Telecom  enter opens it")


async def test_the_fields_of_other_records_take_several_panes_where_there_is_room(service: str) -> None:
    async with story(profile(service), size=(200, 60), place="applications") as s:
        await s.is_ready()
        await s.puts_cursor_on("Campus Client")
        await s.press("enter")
        await s.sees("Deployed by")
        # Two have the room for all fields, and a third would break addresses.
        assert titles(s) == ["Application", "More fields"]
        await s.sees("https://campus-client.northwind.example/oauth/callback,")
        await s.pilot.resize_terminal(200, 30)
        await s.until(lambda: len(detail(s).panes.shown) == 3, "there is no third pane")
        assert titles(s) == ["Application", "More fields", "More fields"]
        parts = [wire for pane in fields(s) for wire in pane]
        view = detail(s)
        assert len(parts) == len(set(parts)) > 20
        await s.press("tab", "tab")
        await selects(s, "Deployed by")
        # With the focus on a pane that a smaller terminal has no room for, the cursor is in what remains.
        await s.pilot.resize_terminal(100, 40)
        await s.until(lambda: len(view.panes.shown) == 1, "the panes differ")
        await s.press("home")
        await s.until(lambda: view.field and view.field[0] == "name", "the cursor does not move")
        await s.press("v")
        await s.does_not_see("••••")
        await s.pilot.resize_terminal(80, 24)
        await s.sees_line("^ Identity +$")
        await selects(s, "Deployed by")
        await s.press("enter")
        await s.does_not_see("Deployed by")


async def test_the_pane_beside_a_list_without_matches_names_no_record(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as s:
        await s.is_ready()
        await s.puts_cursor_on("Campus Client")
        await s.sees("─ Campus Client ─")
        await s.press("/")
        await s.type("no such application")
        await s.press("enter")
        await s.sees("No matches.")
        await s.does_not_see("─ Campus Client ─")
