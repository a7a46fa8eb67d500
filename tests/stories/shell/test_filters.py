"""Filters: every column as it is seen, and the fields that identify a record. The status shows what was searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from svc_tui.console.shell.help_view import SYNTAX
from svc_tui.console.views.list import ListView
from svc_tui.server.demo.repeatable import id_of
from svc_tui.workspace.lists import filtered_listing
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired

SUPERADMIN = "superadmin@demo.example"


async def filters(person: Story, text: str) -> None:
    await person.press("/")
    await person.type(text)
    await person.press("enter")


async def test_a_user_is_found_by_an_e_mail_address(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("users")
        await person.sees("▸ Users", "Clara Novak")
        await person.is_ready()
        await filters(person, "teo.martins8@northwind.example")
        await person.sees_line(r"^ 1 of \d+ +/teo\.martins8@northwind\.example +searched: every column, ID")
        await person.until(lambda: "Teo Martins" in person.cursor, "not found")
        await person.press("esc")
        await person.sees_line(r"^ \d+ users")


def _rows(person: Story) -> list[Mapping[str, Any]]:
    """The records of the list on the screen."""
    view = person.app.frame.view
    assert isinstance(view, ListView)
    return [row for at in range(view.listing.total or 0) if (row := view.listing.row(at)) is not None]


async def test_a_company_is_found_by_its_country_and_its_day_of_creation(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.is_ready()
        total = int((await person.sees_line(r"^ (\d+) companies"))[1])
        await filters(person, "PRT")
        await person.sees_line(rf"^ \d+ of {total} +/PRT +searched: every column, ")
        await person.is_ready()
        assert {row["country"] for row in _rows(person)} == {"PRT"}
        await person.press("esc")
        for text in ("created:2026", "created:>2025-12", "created:2026-01..2026-12", "created:/^2026/"):
            await filters(person, text)
            await person.sees(f"/{text}")
            await person.is_ready()
            assert {row["creationDate"][:4] for row in _rows(person)} == {"2026"}, text
            await person.press("esc")


async def test_an_application_is_found_by_its_state(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        for text, excluded in (("active", "stopped"), ("stopped", "active"), ("state:!active", "active")):
            await filters(person, text)
            await person.sees(f"/{text}")
            await person.does_not_see("58 applications")
            await person.is_ready()
            rows = [line for line in person.lines[2:-2] if line.strip()]
            assert rows, text
            assert not [line for line in rows if f" {excluded} " in line], text
            await person.press("esc")
            await person.sees("58 applications")


async def test_an_unclear_filter_has_a_message_and_never_blocks(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        for text, note in (
            ("state:actve", "No state “actve”: new, active, blocked, deleted"),
            ("creatd:2026", "Unknown column creatd: searched as text."),
            ("created:>soon", "created: “soon” is not a date or a number."),
            ("created:lastmonth", "“lastmonth” is not a date"),
            ("/camp(/", "Invalid expression: a bracket is not closed."),
        ):
            await filters(person, text)
            await person.sees(note, "No matches. esc clears the filter.")
            await person.press("esc")
        await filters(person, "name:/(C+a?)+mpus|(x+x+)+y$/")
        await person.sees("Campus Client", "1 of 58")


async def test_where_nothing_matches_a_wider_filter_is_offered(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        for typed, wider in (
            ("name:=Campus", "name:Campus"),
            ("state:campus", "campus"),
            ('"client campus"', "client campus"),
            ("campus nowhere", "campus"),
            ("name:cmpus", "name:~cmpus"),
        ):
            await filters(person, typed)
            await person.sees(f"~ filters by {wider} instead.")
            await person.press("~")
            await person.sees(f"/{wider}", "Campus Client")
            await person.press("esc")
            await person.sees("58 applications")
        await filters(person, "qqqqqq")
        await person.sees("No matches.")
        await person.does_not_see("instead")


async def test_a_link_with_a_filter_is_one_visit(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("users clara")
        await person.sees("/clara", "Clara Novak")
        await person.goes("users")
        await person.sees_line(r"^ \d+ users")
        await person.does_not_see("/clara")


async def test_a_long_list_is_searched_by_the_service(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtered_listing, "MOST_SEARCHED", 20)
    async with story(profile(service), size=(120, 24)) as person:
        await person.is_ready()
        await person.goes("users")
        await person.sees("Clara Novak")
        await person.is_ready()
        await filters(person, "teo.martins8")
        await person.sees_line(r"^ 1 of \d+ +/teo\.martins8 +searched: ")
        await person.until(lambda: "Teo Martins" in person.cursor, "not found")


async def test_the_help_has_the_forms_of_a_filter(service: str) -> None:
    async with story(profile(service), size=(200, 90)) as person:
        await person.is_ready()
        await person.press("?")
        await person.sees("Typed after /", "state:!active", *SYNTAX)
        await person.sees_line(r"/\^app \\d\+\$/ +A regular expression")


async def test_a_period_of_recordings_is_asked_from_the_service(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("Recordings of", "DATE ▼")
        await person.is_ready()
        log = person.app.frame.workspace.log
        before = len(log.exchanges)
        await person.press("/")
        await person.type("date:>2026-11-15")
        await person.press("enter")
        await person.sees("/date:>2026-11-15")
        await person.is_ready()
        sent = [call.url for call in log.exchanges[before:] if call.operation_id == "list_recordings"]
        assert sent and all("fromDate=2026-11-14" in url for url in sent), sent
        # The whole list is 13 pages long.
        assert len(sent) <= 4, sent


async def test_what_ends_is_found_in_any_writing_while_the_service_stops_and_the_rest_is_searched_after_it(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc_tui.workspace.search.search.MOST_BY_ITSELF", 0)
    monkeypatch.setattr("svc_tui.workspace.search.scopes.AT_A_TIME", 1)
    async with wired(service) as (wire, url), story(profile(url, SUPERADMIN), size=(120, 40)) as person:
        await person.is_ready()
        await person.goes(f"companies/{id_of('company', 'northwind')}/subscriptions")
        await person.sees("▸ Subscriptions", "ENDS")
        await person.is_ready()
        for text in ("ends<2027-06-01", "ends:<2027-06-01", "ends < 2027-06-01"):
            await filters(person, text)
            await person.sees_line(rf" 3 of \d+ +/{text} ")
            if text.startswith("ends:"):
                # The rows that are known are filtered without the service.
                wire.away = True
                wire.cut()
                await person.press("r")
                await person.sees("Offline")
        await person.goes("find 2005")
        await person.sees("Offline: only cached records")
        wire.away = False
        await person.press("r")
        await person.sees("m searches the rest")
        await person.does_not_see("Offline")
        await person.press("m")
        await person.until(lambda: " request" in person.status, "the search does not end")
        await person.sees("Subscribers (", "Una Byrne")
        await person.does_not_see("searches the rest")
