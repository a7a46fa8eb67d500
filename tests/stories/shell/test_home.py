"""The start page: what needs attention, places with counts, and jobs to begin with."""

from __future__ import annotations

import asyncio
import re

import pytest

from svc_tui.client.client import Client
from svc_tui.console.shell import home_numbers
from svc_tui.interface.catalogue import operation
from svc_tui.server.demo.accounts import ACCOUNTS
from svc_tui.workspace.changes import polling
from svc_tui.workspace.core import link
from tests.stories.beside import call, other_client
from tests.stories.driver import profile, story
from tests.stories.wire import wired
from tests.support.blank import largest_blank


async def test_the_start_page_shows_what_needs_attention_and_opens_it_with_its_filter(service: str) -> None:
    async with story(profile(service), first="home") as person:
        await person.sees("demo ▸ Home", "Needs attention", "2 applications are blocked", "out of licences")
        await person.sees_line(r"1  Applications +58")
        await person.sees("Find an application and see how much it is used")
        await person.press("g")
        await person.press("enter")
        await person.sees("demo ▸ Home ▸ Applications", "/state:blocked")
        await person.press("q")
        await person.press("g")
        await person.press("down")
        await person.press("enter")
        await person.sees("Home ▸ Subscriptions", "4 of 13", "Voice Business", "/name:/^(Dial In|")
        await person.press("q")
        await person.sees("Needs attention")
        await person.goes("companies")
        await person.sees("demo ▸ Companies", "1 company")
        await person.goes("home")
        await person.sees("demo ▸ Home", "Needs attention")


@pytest.mark.parametrize("size", [(200, 60), (120, 40), (80, 24)])
@pytest.mark.parametrize("who", ["demo", "company_admin", "superadmin"])
async def test_the_start_page_shows_the_last_days_and_whole_texts(
    service: str, who: str, size: tuple[int, int]
) -> None:
    async with story(profile(service, f"{who}@demo.example"), first="home", size=size) as person:
        await person.sees("out of licences", "Last 14 days")
        await person.is_ready()
        await person.does_not_see("hecking…")
        # A note is whole, and never touches what it belongs to; a place has its own name for `:`.
        assert not re.search(r"the n?e?x?t?…|Slogan\w", person.screen), person.screen
        await person.sees(":cloudpbxs")
        if size[0] > 110:
            await person.sees("Recent changes", "Find a user and see why a login or a call fails")
            return
        # In 80 columns by 24 lines, the changes are below what is seen at first.
        await person.press("G")
        await person.sees("Recent changes")
        await person.press("enter")
        await person.sees("Kind of record", "Outcome")


#: Accounts that cannot log in by password alone.
_OTHERS = {"mfa", "sso", "voiceonly", "locked", "hostile"}
ROLES = [each.name for each in ACCOUNTS if each.name not in _OTHERS]


@pytest.mark.parametrize("who", ROLES)
async def test_the_start_page_fills_the_terminal_of_every_role(service: str, who: str) -> None:
    async with story(profile(service, f"{who}@demo.example"), first="home", size=(200, 60)) as person:
        for size in ((200, 60), (120, 40), (80, 24)):
            await person.pilot.resize_terminal(*size)
            await person.sees("demo ▸ Home", "Needs attention")
            await person.is_ready()
            await person.does_not_see("hecking…")
            await person.until(
                lambda: largest_blank(person.lines, least=(40, 8)) is None,
                f"{largest_blank(person.lines, least=(40, 8))} is blank",
            )


async def test_a_role_with_few_rights_sees_the_first_records_of_its_places_and_keys(service: str) -> None:
    async with story(profile(service, "user@demo.example"), first="home", size=(200, 60)) as person:
        await person.sees("Keys", "Bertrand Almeida")
        await person.sees_line(r"Branch Planner +not deployed +× blocked")
        await person.press("g", *["down"] * 2, "enter")
        await person.sees("Home ▸ Branch Studio")
        await person.press("esc")
        await person.sees("Keys")


async def test_the_start_page_needs_few_requests_and_is_silent_afterwards(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), first="home") as person:
        await person.sees("out of licences")
        await person.is_ready()
        log = person.app.frame.workspace.log
        await person.until(lambda: all(call.status for call in log.exchanges), "a request is in progress")
        # Two for the login, three for what needs attention, two for the last days, and the first pages of five lists.
        sent = [call.operation_id for call in log.exchanges]
        assert len(sent) <= 12, " ".join(sent)
        await person.does_not_see("checking…")
        counts = [line for line in person.lines if line.strip()]
        await person.goes("home")
        await person.sees("out of licences")
        await person.does_not_see("checking…")
        assert [line for line in person.lines if line.strip()][:-2] == counts[:-2]


async def test_what_needs_attention_appears_in_its_final_order_under_the_waiting_cursor(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url), first="home") as person:
        wire.hold = b"GET /api/svc/applications/v1.0/applications?"
        log = person.app.frame.workspace.log
        await person.until(wire.held.is_set, "nothing is held")
        others = [call for call in log.exchanges if call.operation_id != "list_applications"]
        await person.until(lambda: all(call.status for call in others) and len(others) > 4, "a request is in progress")
        await person.sees("Checking…")
        await person.does_not_see("out of licences")
        # A key for a line without a place does nothing, also later.
        await person.press("enter")
        await person.sees("demo ▸ Home ")
        wire.released.set()
        await person.sees("2 applications are blocked", "out of licences")
        await person.does_not_see("Checking…", "(checking…)")
        await person.press("enter")
        await person.sees("demo ▸ Home ▸ Applications", "/state:blocked")


async def test_what_could_not_be_counted_is_not_shown_as_nothing(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "PROBE_SECONDS", (0.2, 0.5))
    for who, unknown in (("app_superadmin", "not known."), ("superadmin", "Needs attention (incomplete)")):
        async with wired(service) as (wire, url), story(profile(url, f"{who}@demo.example"), first="home") as person:
            wire.hold = b"GET /api/svc/applications/v1.0/applications?"
            log = person.app.frame.workspace.log
            await person.until(wire.held.is_set, "nothing is held")
            others = [call for call in log.exchanges if call.operation_id != "list_applications"]
            await person.until(lambda calls=others: all(call.status for call in calls), "a request is in progress")
            wire.away = True
            wire.cut()
            await person.sees(unknown)
            await person.does_not_see("Nothing.", "Checking…")
            # The service responds again: everything is counted, without a key.
            wire.released.set()
            wire.away = False
            await person.sees(" applications are blocked")
            await person.does_not_see(unknown)


async def test_the_cursor_stays_where_it_was_moved_while_numbers_arrive(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url), first="home") as person:
        wire.hold = b"GET /api/svc/subscription/v1.0/companies"
        await person.until(wire.held.is_set, "nothing is held")
        await person.sees("2 applications are blocked", "Needs attention (checking…)")
        await person.press("down")
        wire.released.set()
        await person.sees("out of licences")
        await person.press("enter")
        await person.sees("demo ▸ Home ▸ Applications", "58 applications")
        await person.press("q")
        # Reading again takes no line away, so the cursor stays too.
        await person.press("g")
        wire.hold, wire.released = b"GET /api/svc/applications/v1.0/applications?", asyncio.Event()
        wire.held.clear()
        await person.press("r")
        await person.until(wire.held.is_set, "nothing is held")
        await person.sees("2 applications are blocked", "out of licences")
        wire.released.set()
        await person.press("enter")
        await person.sees("demo ▸ Home ▸ Applications", "/state:blocked")


async def test_a_start_without_a_service_shows_the_places_and_why_the_numbers_are_missing(service: str) -> None:
    async with story(profile("http://127.0.0.1:9"), first="home") as person:
        await person.sees("demo ▸ Home", "1  Applications", "Try")
        await person.sees("The connection to 127.0.0.1:9")


async def test_a_partner_sees_what_ends_soon_at_its_customers(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example"), first="home") as person:
        await person.sees("12 subscriptions end, renew or run out of licences", "2 companies are in alert")
        await person.press("g")
        await person.press("down")
        await person.press("enter")
        await person.sees("Home ▸ Companies", "2 companies", "/status:alerting")
        await person.press("q")
        await person.sees("Needs attention")
        await person.press("down", "down")
        await person.press("enter")
        await person.sees("Home ▸ Subscriptions due", "Bluebird Clinics", "12 subscriptions")


async def test_numbers_of_the_own_company_are_marked_where_others_are_seen_too(service: str) -> None:
    async with story(profile(service, "bp_admin@demo.example"), first="home") as person:
        await person.sees_line(r"4  Subscriptions +\d+ in your company")
        await person.sees_line(r"3  Users +1\d\d +:users")
        await person.press("4")
        await person.sees_line(r"\d+ subscriptions in your company")
        # The subscriptions of a company that is named in the place.
        await person.goes("companies")
        await person.puts_cursor_on("Bluebird Clinics")
        await person.press("B")
        await person.sees("Subscriptions of Bluebird Clinics")
        await person.sees_line(r"^ \d+ subscriptions  ")
    async with story(profile(service, "company_admin@demo.example", name="own"), first="home") as person:
        await person.sees_line(r"4  Subscriptions +\d+ +:subscriptions")
    async with story(profile(service, "demo@demo.example", name="cached"), first="home") as person:
        await person.press("8")
        await person.sees_line(r"\d+ invoices in your company")
        # The number is that of the cache now.
        await person.goes("home")
        await person.sees_line(r"8  Invoices +\d+ in your company")


async def test_the_start_page_follows_the_role_lens_and_its_end(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), first="home") as person:
        await person.sees("applications are blocked", "companies are in alert")
        await person.sees_line(r"2  Companies +\d+")
        await person.goes("as user")
        await person.sees_line(r"Companies +needs superadmin, support,")
        await person.sees("applications are blocked")
        await person.does_not_see("companies are in alert")
        await person.goes("as")
        await person.sees("companies are in alert")
        await person.sees_line(r"2  Companies +\d+")


async def test_a_place_without_a_list_of_its_own_has_the_number_of_its_only_parent(service: str) -> None:
    async with story(profile(service), first="home") as person:
        await person.sees_line(r"6  Recordings +1,2\d\d")
        await person.sees_line(r"9  Dashboard +charts and tables")
    async with story(profile(service, "bp_admin@demo.example", name="partner"), first="home") as person:
        await person.sees_line(r"6  Recordings +needs company_admin")
    async with story(profile(service, "superadmin@demo.example", name="all"), first="home") as person:
        await person.sees_line(r"6  Recordings +by CloudPBX")
        await person.sees_line(r"8  Invoices +—")


@pytest.mark.parametrize(("size", "columns"), [((120, 40), 2), ((200, 60), 3)])
async def test_a_wide_start_page_shows_all_places_in_columns(service: str, size: tuple[int, int], columns: int) -> None:
    async with story(profile(service), first="home", size=size) as person:
        await person.sees("2 applications are blocked", "Open a company with everything that belongs to it")
        await person.sees_line(r"╭─ Home ─+╮╭─ Places ─+╮" + "╭─ More places ─+╮" * (columns == 3))
        await person.sees("tab goes to the next pane", "Customisation templates")
        await person.sees_line(r"Recordings across companies +needs|Recordings across companies +:allrecordings")
        for _ in range(columns - 1):
            await person.press("tab")
        await person.press("g")
        if columns == 2:
            await person.press("down")
        await person.press("enter")
        await person.sees("Home ▸ Companies" if columns == 2 else "Home ▸ API keys")


async def test_the_filter_key_finds_from_the_start_page(service: str) -> None:
    async with story(profile(service), first="home") as person:
        await person.sees("applications are blocked", "/ Find")
        await person.press("/")
        await person.sees("What can be found", "a name, number or ID")
        await person.type("una byrne")
        await person.sees("Una Byrne")


async def test_without_a_login_the_start_page_gives_the_reason_and_the_key(service: str) -> None:
    async with story(profile(service, "voiceonly@demo.example"), first="home") as person:
        await person.sees("has only a voice phone licence")
        await person.press("esc")
        await person.sees("Not logged in. Cached records can be browsed. r logs in.")
        await person.sees_line(r"^ ?.Not logged in. r logs in.")
        await person.does_not_see("Checking…")


async def test_after_a_logout_the_start_page_gives_the_reason_and_the_key(service: str) -> None:
    async with story(profile(service), first="home") as person:
        await person.sees("applications are blocked")
        await person.goes("logout")
        await person.sees_line(r"^ ?.Not logged in. r logs in.")
        await person.does_not_see("Checking…")


def on_hold(number: int) -> str:
    return f"{number} company is on hold" if number == 1 else f"{number} companies are on hold"


async def number_on_hold(client: Client) -> int:
    found = await client.send(operation("list_companies"), query={"status": "hold", "limit": 1, "offset": 0})
    return int(found.body["total"])


async def an_active_company(client: Client) -> str:
    found = await client.send(operation("list_companies"), query={"status": "active", "limit": 1, "offset": 0})
    return str(found.body["data"][0]["id"])


async def test_the_start_page_follows_changes_of_others_without_events(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "SECONDS", 0.5)
    monkeypatch.setattr(home_numbers, "EVERY", 0.5)
    who = "superadmin@demo.example"
    polled = profile(service, who, xmpp_host="ws://127.0.0.1:9")
    async with story(polled, first="home") as person, other_client(service, who) as other:
        before = await number_on_hold(other)
        await person.sees(on_hold(before), "polling 0 s")
        company = await an_active_company(other)
        await call(other, "update_company", {"status": "hold"}, companyId=company)
        await person.sees(on_hold(before + 1))
        await call(other, "update_company", {"status": "active"}, companyId=company)
        await person.sees(on_hold(before))


async def test_the_start_page_shows_a_change_that_was_made_here(service: str) -> None:
    who = "superadmin@demo.example"
    async with story(profile(service, who), first="home") as person, other_client(service, who) as other:
        before = await number_on_hold(other)
        await person.sees(on_hold(before))
        await person.does_not_see("checking…")
        company, workspace = await an_active_company(other), person.app.frame.workspace
        path = {"companyId": company}
        await workspace.perform("update_company", path=path, query={}, body={"status": "hold"})
        await person.sees(on_hold(before + 1))
        # Below another view it waits until it is shown again.
        await person.press("?")
        await person.sees("Home ▸ Help")
        await workspace.perform("update_company", path=path, query={}, body={"status": "active"})
        await person.press("esc")
        await person.sees(on_hold(before))


async def test_a_change_while_the_start_page_is_read_is_counted_afterwards(service: str) -> None:
    who = "superadmin@demo.example"
    async with (
        wired(service) as (wire, url),
        story(profile(url, who), first="home") as person,
        other_client(service, who) as other,
    ):
        before = await number_on_hold(other)
        await person.sees(on_hold(before))
        await person.does_not_see("checking…")
        company, workspace = await an_active_company(other), person.app.frame.workspace
        path = {"companyId": company}
        wire.hold = b"GET /api/svc/applications/v1.0/applications?"
        await workspace.perform("update_company", path=path, query={}, body={"status": "hold"})
        await person.until(wire.held.is_set, "nothing is held")
        await person.sees(on_hold(before + 1))
        await person.press("?")
        await person.sees("Home ▸ Help")
        await workspace.perform("update_company", path=path, query={}, body={"status": "active"})
        await person.press("esc")
        await person.sees("Needs attention")
        wire.released.set()
        await person.sees(on_hold(before))


async def test_tasks_are_suggested_to_roles_that_may_do_them_to_their_end(service: str) -> None:
    async with story(profile(service, "support@demo.example"), first="home") as person:
        # May read subscriptions and applications, but neither quote nor see the usage.
        await person.sees("Find a user and see why a login or a call fails", "Needs attention")
        await person.sees_line(r"1  Applications +\d+")
        await person.does_not_see("See what more licences would cost", "see how much it is used")
    async with story(profile(service, "bp_finance@demo.example"), first="home") as person:
        await person.sees_line(r"1  Applications +\d+")
        await person.sees("See what more licences would cost")
    async with story(profile(service, "user@demo.example"), first="home") as person:
        await person.sees_line(r"1  Applications +\d+")
        await person.does_not_see("Try")


async def test_a_role_with_few_rights_finds_every_place_that_it_may_open(service: str) -> None:
    async with story(profile(service, "user@demo.example"), place="home") as person:
        await person.sees("9  Dashboard", "needs superadmin")
        await person.sees("API keys", "Your OAuth tokens", "Your account")
        await person.does_not_see("Client versions", "Sites", "Voice")
        await person.on_field("Your account")
        await person.press("enter")
        await person.sees("Una Byrne", "user@demo.example")
