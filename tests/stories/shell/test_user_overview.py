"""The overview of a user: from what a caller says to the finding, to where it is changed, and back."""

from __future__ import annotations

from svc_tui.console.views.overview import OverviewView
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired


async def finds_user(s: Story, login: str) -> None:
    """Search for a login and open the user."""
    await s.goes(f"find {login}")
    await s.until(lambda: " request" in s.status, f"the search for {login} does not end")
    await s.press("enter")
    await s.sees("Findings", "Account", "Telephone")
    await s.does_not_see("Checking…", "Loading…")


async def selects(s: Story, text: str) -> None:
    """Move down to the line with a text."""
    view = s.app.frame.view
    assert isinstance(view, OverviewView)
    await s.press("home")
    while view.sheet.line is None or text not in f"{view.sheet.line.label} {view.sheet.line.value}":
        before = view.sheet.cursor
        await s.press("down")
        assert view.sheet.cursor != before, f"no line with {text}\n{s.screen}"


async def test_an_email_address_leads_to_the_findings_to_where_one_is_changed_and_back(service: str) -> None:
    async with story(profile(service)) as s:
        await s.is_ready()
        await finds_user(s, "carla.lopes6@northwind.example")
        await s.sees_line(r"^▲ Recording +Off: no calls of this extension are recorded\.")
        await selects(s, "Off: no calls")
        await s.sees("Subscriber: Recording profile   enter opens it")
        await s.press("enter")
        await s.sees("Recorded calls of Carla Lopes", "current")
        await s.type("all")
        await s.press("enter")
        await s.sees("recordingProfile")
        await s.press("enter")
        await s.sees("Changed.", "Recording profile")
        await s.press("esc")
        await s.sees("Findings", "No findings.")
        await s.sees_line(r"^  Recorded calls +all")
        await s.press("esc")
        await s.sees("Find: carla.lopes6")


async def test_a_user_who_can_do_everything_has_no_findings_in_few_requests(service: str) -> None:
    async with story(profile(service), place="users") as s:
        await s.is_ready()
        await s.goes("users una")
        await s.sees("Una Byrne")
        log = s.app.frame.workspace.log
        before = len(log.exchanges)
        await s.press("enter")
        await s.sees("No findings.")
        await s.sees_line(r"^  Device +M550 desk of Una Byrne   online until ")
        await s.sees_line(r"^  Licences +Essential, Business, Enterprise, three years, Voice Line")
        await s.sees_line(r"^  Recording +20")
        sent = [call.operation_id for call in list(log.exchanges)[before:]]
        # The user, the company, its policies and CloudPBX, the licences, and four of the extension.
        # On a loaded machine the page reads the user once more.
        assert len(sent) <= 9 + (sent.count("get_user") > 1), sent
        # Everything that matters is on the first screen.
        await s.sees("Findings", "Last login", "Second factor", "Extension", "DDI number", "Recorded calls")
        await s.press("G")
        await s.sees("Licences")
        await s.does_not_see("Findings")


async def test_an_inactive_user_is_activated_from_the_finding(service: str) -> None:
    async with story(profile(service)) as s:
        await s.is_ready()
        await finds_user(s, "ida.sato24@northwind.example")
        await s.sees_line(r"^× Login +Refused: the user is not active.")
        await s.sees("User: Active   refused with 401520   enter opens it")
        await s.press("enter")
        await s.sees("Activate Ida Sato", "Active: no → yes")


async def test_single_sign_on_is_a_finding_without_a_fault(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="users") as s:
        await s.is_ready()
        await finds_user(s, "sso@demo.example")
        await s.sees("With single sign-on (OIDC), not a password.")
        # What prevents something comes first, also from a later section.
        assert s.screen.index("the company has no CloudPBX") < s.screen.index("With single sign-on")
        await s.sees_line(r"^  Login +sso@demo.example   OIDC")


async def test_a_role_reads_why_licences_and_recordings_are_missing(service: str) -> None:
    async with story(profile(service, "site_admin@demo.example"), place="users", size=(80, 30)) as s:
        await s.is_ready()
        await s.goes("users diego petrov")
        await s.sees("Diego Petrov")
        await s.press("enter")
        await s.sees("Findings", "Licences")
        await s.does_not_see("Checking…", "Loading…")
        await s.sees_line(r"^  Licences +You do not manage this record: ")
        await s.sees_line(r"^  Recordings +needs company_admin")
        await s.sees("Not checked: second factor policies, licences.")
        await s.sees("not set up; policy: needs superadmin, bp_admin,")


async def test_the_areas_are_asked_in_parallel(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url), place="users") as s:
        await s.is_ready()
        await s.goes("users una")
        await s.sees("Una Byrne")
        wire.hold = b"GET /api/svc/admin/v1.0/users/ab91547d292d87911516bbcc/profiles"
        await s.press("enter")
        await s.sees_line(r"^  Licences +Loading…")
        await s.sees_line(r"^  Device +M550 desk of Una Byrne   online until ")
        await s.sees("Checking…")
        wire.released.set()
        await s.sees("No findings.", "Voice Line")


async def test_the_cursor_waits_on_the_first_line_for_the_first_finding(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url), place="users") as s:
        await s.is_ready()
        await s.goes("users rosa")
        await s.sees("Rosa O'Brien")
        wire.hold = b"GET /api/svc/admin/v1.0/users/5207600ef07ec033cd45ce75?"
        await s.press("enter")
        await s.sees("Checking…")
        await s.sees_line(r"^  Login +rosa\.obrien4@northwind\.example")
        wire.released.set()
        await s.sees("no device is registered", "Registration: Expiration date")


async def test_without_the_service_the_overview_comes_from_the_cache_with_what_is_missing(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url), place="users") as s:
        await s.is_ready()
        await finds_user(s, "rosa.obrien4@northwind.example")
        await s.press("esc")
        wire.away = True
        wire.cut()
        await s.goes("users")
        await s.press("r")
        await s.sees("Offline")
        await s.goes("users/5207600ef07ec033cd45ce75")
        await s.sees("no device is registered", "Offline: showing cached data.")
        await s.sees_line(r"^  Device +M320 desk of Rosa O'Brien   not online")
        await s.goes("users/a3ea13c37caab18d9e1971db")
        await s.sees("Ida Sato")
        # Each reason stands once.
        await s.sees_line(r"^  Extension +unknown")
        await s.sees("Not checked.")
        body = " ".join(" ".join(s.lines[1:]).split())
        assert max(map(body.count, ("The connection to", "showing cached data", "no cached data"))) == 1, s.screen
        await s.does_not_see("No findings.", "Checking…")
        wire.away = False
        await s.press("r")
        await s.sees("Refused: the user is not active.")
        await s.sees_line(r"^  Device +none")
