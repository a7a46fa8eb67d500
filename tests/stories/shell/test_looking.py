"""Looking closer: raw records, differences, the HTTP log, copies, filters, help, wide terminals."""

from __future__ import annotations

import re
from typing import Any

import pytest

from svc_tui.console.shell.view_stack import ViewStack
from svc_tui.console.views.list import ListView
from svc_tui.console.views.view import View
from svc_tui.workspace.core.events import ListChanged
from tests.stories.driver import profile, story


async def test_the_raw_record_hides_its_secrets_until_asked(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees("Secret")
        await person.press("d")
        await person.sees('"name": "Campus Client"', '"appSecret": "••••••••"')
        await person.press("v")
        await person.sees_line(r'"appSecret": "[0-9a-f]{32}"')
        await person.press("tab")
        await person.sees("name: Campus Client")
        await person.press("tab")
        await person.sees("GET http", "/api/svc/applications/v1.0/applications/", "200")


async def test_a_record_whose_response_comes_before_its_view_is_requested_once(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        frame, shown = person.app.frame, ViewStack.show

        async def after_the_response(stack: ViewStack, view: Any, **options: bool) -> None:
            await view._source.wait_until_idle()
            await shown(stack, view, **options)

        monkeypatch.setattr(ViewStack, "show", after_the_response)
        await person.press("enter")
        await person.sees("▸ Campus Client", "Secret")
        await person.is_ready()
        await person.until(lambda: not frame.workspace.busy, "still reading")
        assert [each.operation_id for each in frame.workspace.log.exchanges].count("get_application") == 1


async def test_two_marked_records_are_compared_field_by_field(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Contract Connector")
        await person.press("space", "space", "d")
        await person.sees("Contract Connector ↔ Contract Sync", "name")
        await person.sees_line(r"\* name +Contract Connector *\n +↔ Contract Sync")


async def test_the_log_of_calls_shows_each_and_copies_it_as_curl(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("!")
        await person.sees("HTTP log", "GET", "/api/svc/authentication/v1.0/login")
        await person.press("G")
        await person.press("y")
        await person.sees("Call as curl:")
        await person.press("enter")
        await person.sees("200")
        shown = person.screen
        await person.press("tab")
        await person.sees("curl")
        assert "Demo-demo-123" not in shown + person.screen
        assert not re.search(r"eyJ[A-Za-z0-9_-]{20,}", shown + person.screen)


async def test_a_call_is_identified_by_the_end_of_its_path_and_its_response_has_lines(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await person.is_ready()
        await person.goes("companies Meridian")
        await person.sees("Meridian Channel")
        await person.press("B")
        await person.sees("Subscriptions of Meridian Channel", "subscriptions")
        await person.press("!")
        await person.sees_line(r"GET +…\S*/companies/…[0-9a-f]{4}/subscription")
        await person.press("enter")
        await person.sees_line(r"^ GET http")
        await person.press("G")
        await person.sees_line(r'\n +"nbFreeLicences": \d+')


async def test_the_copy_menu_reports_the_way_of_the_copy(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("Y")
        await person.sees("Copy", "JSON", "Link", "curl")
        await person.type("link")
        await person.press("enter")
        await person.sees_line(r"Link: .*(terminal|clipboard|file|tmux)")


async def test_every_filter_of_the_service_is_in_the_filter_form(service: str) -> None:
    async with story(profile(service), size=(80, 30)) as person:
        await person.is_ready()
        await person.press("F")
        await person.sees(
            "Filters", "Name", "Deployment", "State", "Types", "Activities", "Owner", "Subscription status"
        )
        await person.sees("From date", "To date", "Date type", "KPI")
        await person.on_field("Deployment")
        await person.press("right")
        await person.on_field("From date")
        await person.type("soon")
        await person.press("ctrl+o")
        await person.sees("must be a date (YYYY-MM-DD)")
        for _ in range(4):
            await person.press("backspace")
        await person.type("2026-01-01")
        await person.press("ctrl+o")
        await person.sees("env=not_deployed", "fromDate=2026-01-01")
        await person.does_not_see("deployed     J    import 2024 2024")
        await person.press("esc")
        await person.sees("58 applications")


async def test_filters_exclude_match_loosely_and_look_in_one_column(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        for text, seen, gone in (
            ("!client", "Claims Provisioning", "Campus Client"),
            ("~cmpcl", "Campus Client", "Energy"),
            ("type:iot", "Energy Sensor", "Exporter"),
        ):
            await person.press("/")
            await person.type(text)
            await person.press("enter")
            await person.sees(f"/{text}", seen)
            await person.does_not_see(gone)
            await person.press("esc")
            await person.sees("58 applications")


async def test_the_first_page_down_turns_a_whole_page(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("?")
        await person.sees("Help: Applications")

        def column() -> list[str]:
            return [line[:39] for line in person.lines[1:-2]]

        before = column()
        await person.press("pgdn")
        await person.until(lambda: column()[0] == before[-1], "the last line is not the first one now")
        await person.press("pgup")
        await person.until(lambda: column() == before, "back at the beginning")


async def test_help_shows_why_an_action_is_greyed_out(service: str) -> None:
    async with story(profile(service, "support@demo.example"), size=(200, 50)) as person:
        await person.is_ready()
        await person.press("?")
        await person.sees(
            "Help: Applications", "New application", "not available: needs superadmin, app_admin or app_superadmin"
        )


async def test_what_a_key_does_is_whole_at_80_columns(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("?")
        await person.sees_line(r"^ type to search +Open the application, or what a field or a finding leads to +")
        await person.press(*["down"] * 10)
        await person.sees_line(r"^ Keys of this view, most used first, and why others are not available +")


async def test_the_help_begins_with_the_keys_of_the_footer_and_is_searched_by_typing(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.press("?")
        await person.sees("Most used", "type to search")
        first = next(line for line in person.lines if "enter" in line)
        assert "Open" in first and person.lines.index(first) == 2
        # Letters that are keys of other views are typed here.
        await person.type("http log")
        await person.sees("/http log", "HTTP log")
        await person.does_not_see("Most used")
        await person.press("esc")
        await person.sees("Most used")
        await person.press("esc")
        await person.sees("58 applications")


async def test_the_footer_leaves_out_what_the_role_may_not_do_and_the_palette_has_the_reason(service: str) -> None:
    async with story(profile(service, "support@demo.example"), size=(200, 40)) as person:
        await person.is_ready()
        assert "n New" not in person.lines[-1] and "enter Open" in person.lines[-1]
        await person.press("ctrl+p")
        await person.type("new application")
        await person.sees("needs superadmin, app_admin or app_superadmin")


async def test_the_detail_pane_is_beside_a_wide_list(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.sees("Identity", "SSO login")
        await person.press("tab", "down", "down")
        await person.press("tab")
        await person.press("down")
        await person.sees_line(r"Name +Claims Companion")


async def test_the_detail_pane_does_not_change_while_the_cursor_moves(service: str) -> None:
    async with story(profile(service), size=(120, 40)) as person:
        await person.is_ready()
        await person.sees("─ Branch Planner ─")
        await person.sees_line(r"Name +Branch Planner")
        read = len(person.app.frame.workspace.log.exchanges)
        pane = person.app.frame.view.beside.lines
        await person.press("down", "down", "down")
        assert person.app.frame.view.beside.lines == pane
        await person.sees("─ Claims Companion ─")
        await person.sees_line(r"Name +Claims Companion")
        await person.sees("Description")
        assert len(person.app.frame.workspace.log.exchanges) == read + 1
        # Keys in the pane act on the record of the cursor, without waiting for it to rest.
        await person.press("up", "tab")
        await person.sees("─ Campus Client ─")


async def test_the_detail_pane_names_the_records_that_the_cache_knows(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example"), size=(120, 40)) as person:
        await person.is_ready()
        await person.goes("sites")
        await person.puts_cursor_on("Bergen")
        await person.sees("─ Bergen ─")
        await person.sees_line(r"Company +Fabrikam Online *│")
        read = [exchange.url for exchange in person.app.frame.workspace.log.exchanges]
        # Its name is from the column of the list; the pane reads the site alone.
        await person.puts_cursor_on("Braga")
        await person.sees_line(r"Company +Northwind Telecom *│")
        new = [exchange.url for exchange in person.app.frame.workspace.log.exchanges][len(read) :]
        assert [url for url in new if "/companies/" in url] == []


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (200, 60)])
async def test_every_view_fits_into_every_size(service: str, size: tuple[int, int]) -> None:
    async with story(profile(service), size=size) as person:
        await person.is_ready()
        for keys in (
            ("enter",),
            ("d",),
            ("esc",),
            ("e",),
            ("ctrl+p",),
            ("esc",),
            ("esc",),
            ("esc",),
            ("?",),
            ("esc",),
            ("!",),
        ):
            await person.press(*keys)
            assert all(len(line) <= size[0] for line in person.lines)
        await person.sees("calls   enter shows a call")


async def test_a_users_keys_and_applications_are_one_key_away(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("users clara")
        await person.sees("Clara Novak")
        await person.press("a")
        await person.sees("Applications", "Campus Client")
        await person.does_not_see("Branch Planner")
        await person.press("esc")
        await person.press("K")
        await person.sees("API keys of Clara Novak", "Nightly export to th…", "6 API keys")


async def test_a_change_while_a_list_closes_is_ignored(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        view = person.app.frame.view if person.app.started else None
        assert isinstance(view, ListView)
        with view.prevent(View.Changed):
            await view.records.remove()
            view.listing.total = None
            view._changed(ListChanged(status=True))
            view._changed(ListChanged(rows=None))


async def test_a_record_that_the_role_may_not_read_is_no_link(service: str) -> None:
    async with story(profile(service, "app_admin@demo.example"), size=(100, 24), place="applications") as person:
        await person.is_ready()
        await person.press("enter")
        await person.sees_line(r"Owner +[0-9a-f]{24} *$")
        await person.on_field("Owner")
        await person.press("enter")
        await person.sees("Open: needs ")
        assert [view.kind for view in person.app.frame.stack] == ["list", "detail"]
    async with story(profile(service), size=(100, 24), place="applications") as person:
        await person.is_ready()
        await person.press("enter")
        await person.sees_line(r"Owner +Anders Holm  [0-9a-f]{24}  enter opens it")
