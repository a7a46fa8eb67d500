"""Offers and subscriptions: what they mean, bought, changed and ended; rules said first; lost answers looked at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from svc_tui.interface.subscriptions.operations import update_company_subscription
from svc_tui.server.demo.repeatable import id_of
from svc_tui.workspace.core import link
from tests.stories import driver
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired
from tests.support.process import serving_demo

SUPERADMIN = "superadmin@demo.example"
#: Long enough to be seen in progress, and a number that the billing systems refuse.
CONFIG = """
billing_sync_seconds = 3
billing_fails = ["update:enterprise", "create:classroom"]
"""


#: Looking whether a change was done, as it begins on the wire; behind it the company.
_LOOKS = b"GET /api/svc/subscription/v1.0/companies/"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("service")
    (folder / "server.toml").write_text(CONFIG)
    with serving_demo(folder, config=folder / "server.toml") as server:
        yield server.url


@pytest.fixture(autouse=True)
def quick_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "PROBE_SECONDS", (0.2, 0.5))


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen is unchanged while the billing systems work, or while an answer does not come."""
    monkeypatch.setattr(driver, "QUIET", driver.PATIENCE)


async def _sees_subscriptions(person: Story, company: str, key: str = "B") -> None:
    await person.is_ready()
    await person.goes("companies")
    await person.sees("▸ Companies", "NAME ▲")
    await person.press("/")
    await person.type(company)
    await person.press("enter")
    await person.until(lambda: company in person.cursor, f"{company} is not found")
    await person.press(key)
    await person.sees("of " if key != "x" else "cannot", company)
    await person.is_ready()


async def _finds(person: Story, name: str) -> None:
    """Put the cursor on a line of the list, wherever it is."""
    await person.press("g")
    await person.puts_cursor_on(name)


async def _types_seats(person: Story, seats: int) -> None:
    """In a form that begins with the licences."""
    await person.on_field("Licences")
    await person.press("ctrl+u")
    await person.type(str(seats))


async def _edits(person: Story, subscription: str, seats: int) -> None:
    await _finds(person, f"▌{subscription}  ")
    await person.press("e")
    await person.sees(f"Edit {subscription}", "Licences")
    await _types_seats(person, seats)


async def _confirms(person: Story, name: str) -> None:
    await person.sees(f"Type {name} to confirm")
    await person.type(name)
    await person.press("enter")


def _sent(person: Story, operation: str) -> int:
    return sum(each.operation_id == operation for each in person.app.frame.workspace.log.exchanges)


# --- checks ----------------------------------------------------------------------------------------------------


async def test_an_offer_has_a_description_for_buyers(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Telecom", "O")
        await person.sees_line(r"Business, one year\s+per user\s+prepaid 12")
        await _finds(person, "Business API")
        await person.press("enter")
        await person.sees("Description", "flat fee for any number of users", "requires the CPaaS application")
        await person.press("esc")
        await _finds(person, "▌Business  ")
        await person.press("enter")
        await person.sees_line(r"list price \d[0-9.,]* from 20\d\d-\d\d-\d\d")


async def test_subscriptions_with_licences_renewal_and_those_that_are_over(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subs")
        await person.sees_line(r"Business\W+active\W+41/50\s+monthly\s+—")
        await person.sees_line(r"Business, one year\W+active\W+5/12\s+auto · 1 year\s+20")
        await person.sees_line(r"Alert\W+creating")
        await person.does_not_see("Business (old)", "Guardian")
        await person.press("F")
        await person.sees("Show terminated")
        await person.on_field("Show terminated")
        await person.press("y", "ctrl+o")
        await person.sees_line(r"Business \(old\)\W+terminated")


async def test_the_numbers_of_a_reseller_are_shown_with_their_sum(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Meridian Channel")
        await _finds(person, "▌Business  ")
        await person.press("enter")
        await person.sees_line(r"\d+ assigned to own users \+ \d+ to customers = \d+ used")
        await person.sees_line(r"100 bought - \d+ used = \d+ free")


# --- rules shown in advance --------------------------------------------------------------------------------------


async def test_fewer_licences_than_are_assigned_are_refused_beside_the_field(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Telecom")
        await _edits(person, "Business", 40)
        await person.sees("41 licences are assigned: unassign some first")
        await person.press("ctrl+o")
        await person.does_not_see("to confirm")
        await _types_seats(person, 41)
        await person.does_not_see("unassign some first")
        assert not _sent(person, "update_company_subscription")


async def test_subscriptions_that_cannot_be_ended_or_changed_show_the_reason(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Telecom")
        await _finds(person, "Enterprise, three")
        await person.press("x")
        await person.sees("Delete: a prepaid subscription can be terminated only in the month of its")
        await _finds(person, "Alert")
        await person.press("e")
        await person.sees("Edit: its synchronisation with the billing systems is in progress")
        await person.press("x")
        await person.sees("Delete: its synchronisation with the billing systems is in progress")
        await _finds(person, "Essential")
        await person.press("x")
        await person.sees("Delete: the default subscription cannot be terminated")


async def test_a_company_admin_may_only_raise_licences_where_the_company_allows_it(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("subs")
        await person.sees_line(r"Voice Phone\W+active")
        await person.press("n")
        await person.sees("New: needs superadmin, business_admin or bp_finance")
        await _finds(person, "▌Voice Phone  ")
        await person.press("e")
        await person.sees("Edit Voice Phone", "no changes")
        await person.sees_line(r"Licences\s+5\s+0\.\.")
        await _types_seats(person, 4)
        await person.sees("the company's administrator may only increase the number of licences")
        await _types_seats(person, 6)
        await person.does_not_see("may only increase the number of licences  ")
        await person.on_field("Purchase order number")
        await person.sees_line(r"Purchase order number\s+—\s+the company's administrator may only in")


async def test_an_offer_that_is_subscribed_already_or_not_sold_is_not_offered_again(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Telecom", "O")
        await _finds(person, "Business (old)")
        await person.press("n")
        await person.sees("Subscribe: the offer cannot be sold")
        await _finds(person, "Attendant")
        await person.press("n")
        await person.sees("Attendant: the company already has a subscription to this offer")
        await person.press("o", "n")
        await person.sees("Which offer?")
        await person.type("attend")
        await person.sees_line("Attendant +the company already has a subscription to this offer")


async def test_a_dial_in_offer_asks_for_its_last_day(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Cedar Insurance", "O")
        await _finds(person, "Dial In")
        await person.press("n")
        await person.sees("Subscribe Dial In", "a Dial In offer requires an end date")
        await person.press("ctrl+o")
        await person.on_field("Expiration date")
        await person.type("2027-06-30")
        await person.does_not_see("requires an end date")


# --- bought, changed, ended --------------------------------------------------------------------------------------


async def test_an_offer_is_subscribed_and_followed_until_it_is_active(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Bluebird Clinics", "O")
        await _finds(person, "Attendant")
        await person.press("n")
        await person.sees("Subscribe Attendant")
        await _types_seats(person, 7)
        await person.press("ctrl+o")
        await person.sees("POST", "Licences: — → 7", "Creates 1 subscription.")
        await person.sees("Price: ", "per month; next invoice")
        await person.press("enter")
        await person.sees("The name does not match.")
        await _confirms(person, "Attendant")
        await person.sees("Subscriptions of Bluebird Clinics")
        await person.sees_line(r"▌Attendant\W+creating\W+0/7")
        await person.press("e")
        await person.sees("Edit: its synchronisation")
        await person.sees("Attendant is active: synchronisation finished.")
        await person.sees_line(r"▌Attendant\W+active\W+0/7")
        await person.press("-")
        await person.sees("Offers of Bluebird Clinics")


async def test_more_licences_are_synchronised_and_can_be_taken_back(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Telecom")
        await _edits(person, "Voice Business", 12)
        await person.press("ctrl+o")
        await person.sees("Licences: 10 → 12")
        await person.sees("The price is not shown here. Open the quotation in the form to see it.")
        await _confirms(person, "Voice Business")
        await person.sees_line(r"Voice Business\W+syncing\W+10/12")
        await person.sees("Voice Business is active: synchronisation finished.")
        await person.sees_line(r"Voice Business\W+active\W+10/12")
        await person.press("ctrl+z")
        await person.sees("Undo: Edit Voice Business", "Licences: 12 → 10")
        await person.type("Edit Voice Business")
        await person.press("enter")
        await person.sees_line(r"Voice Business\W+syncing\W+10/10")


async def test_a_subscription_is_ended_after_its_name_was_typed(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Delta Schools")
        await _finds(person, "Essential")
        await person.press("o")
        await person.sees("Offers of Delta Schools")
        await _finds(person, "Attendant")
        await person.press("n", "ctrl+o")
        await _confirms(person, "Attendant")
        await person.sees("Attendant is active: synchronisation finished.")
        await person.press("x")
        await person.sees("Delete subscription Attendant", "This cannot be undone.")
        await person.sees("active → terminated at once", "Users with a licence: 0 → 0")
        await person.sees("Ends 1 subscription of Delta Schools at once.")
        await _confirms(person, "Attendant")
        await person.does_not_see("Attendant  ")
        await person.sees("Subscription Attendant successfully deleted")


async def test_ending_a_subscription_shows_who_loses_a_licence_and_what_was_paid(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Telecom")
        await _finds(person, "▌Business  ")
        await person.press("x")
        await person.sees("Users with a licence: 41 → 0, unassigned at once")
        await person.sees("Ends 1 subscription of Northwind Telecom at once.")
        await person.does_not_see("Paid term")


async def test_the_checks_of_a_deletion_open_the_subscriptions(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Sequoia Media", "x")
        await person.sees(
            "Sequoia Media cannot be deleted yet", "b  the company has subscriptions besides the default one: 2"
        )
        await person.press("b")
        await person.sees("Subscriptions of Sequoia Media")


async def test_a_change_refused_by_the_billing_systems_shows_the_kept_values(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Fabrikam")
        await _edits(person, "Enterprise", 15)
        await person.press("ctrl+o")
        await _confirms(person, "Enterprise")
        await person.sees_line(r"Enterprise\W+syncing\W+6/15")
        await person.sees("Enterprise: refused by the billing systems. Unchanged: Licences 12.")
        await person.sees_line(r"Enterprise\W+active\W+6/12")


async def test_a_purchase_refused_by_the_billing_systems_is_reported(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Retail", "O")
        await _finds(person, "Classroom")
        await person.press("n")
        await person.sees("Subscribe Classroom")
        await person.press("ctrl+o")
        await _confirms(person, "Classroom")
        await person.sees("Classroom: refused by the billing systems.")
        await person.sees_line(r"▌Classroom\W+failed")


async def test_two_changes_at_the_same_moment_the_second_is_refused_and_nothing_typed_is_lost(service: str) -> None:
    async with story(profile(service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Old Mill Foods")
        await _edits(person, "Business", 14)
        await person.press("ctrl+o")
        await person.sees("Licences: 12 → 14")
        assert person.app.frame.workspace.client is not None
        record = person.app.frame.stack[-2].record
        assert record is not None
        path = {"companyId": record["companyId"], "subscriptionId": record["id"]}
        # Another administrator edits it, too.
        await person.app.frame.workspace.client.send(
            update_company_subscription, path=path, body={"maxNumberUsers": 13}
        )
        await _confirms(person, "Business")
        await person.sees("Your input is kept: esc goes back.")
        await person.sees_line("synchronis")
        await person.press("esc")
        await person.sees_line(r"Licences\s+14")


# --- no answer ---------------------------------------------------------------------------------------------------


async def test_a_purchase_without_a_response_is_found_and_never_sent_twice(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Cedar Insurance", "O")
        await _finds(person, "Attendant")
        await person.press("n")
        await person.sees("Subscribe Attendant")
        await person.press("ctrl+o")
        await person.sees("to confirm")
        wire.swallow = b"POST "
        wire.breaks.clear()
        await _confirms(person, "Attendant")
        await person.until(lambda: not wire.swallow, "the purchase was not sent")
        wire.hold = _LOOKS
        wire.breaks.set()
        await person.sees("No response", "Checking whether the change was made")
        wire.released.set()
        await person.sees("the change was made once (status creating)", "esc Close")
        await person.press("enter", "enter")
        await person.press("esc")
        await person.sees_line(r"▌Attendant\W+creating\W+0/1")
        assert _sent(person, "create_company_subscription") == 1


async def test_a_change_that_was_not_received_can_be_sent_again(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Northwind Logistics")
        await _edits(person, "Business", 16)
        await person.press("ctrl+o")
        await person.sees("to confirm")
        wire.drop = b"PUT "
        wire.hold = _LOOKS + id_of("company", "northwind-logistics").encode() + b"/subscriptions/"
        await _confirms(person, "Business")
        await person.sees("No response", "Checking whether the change was made")
        wire.released.set()
        await person.sees("the change was not made (status active)", "esc Back")
        await person.press("enter", "enter")
        assert _sent(person, "update_company_subscription") == 1
        await person.press("esc")
        await person.sees_line(r"Licences\s+16")
        await person.press("ctrl+o")
        await _confirms(person, "Business")
        await person.sees_line(r"Business\W+syncing\W+8/16")
        assert _sent(person, "update_company_subscription") == 2


async def test_an_unknown_result_is_checked_before_anything_is_sent_again(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Cedar Insurance")
        await person.press("o")
        await person.sees("Offers of Cedar Insurance")
        await _finds(person, "Voice Phone")
        await person.press("n")
        await person.sees("Subscribe Voice Phone")
        await person.press("ctrl+o")
        await person.sees("to confirm")
        wire.swallow, wire.away_after = b"POST ", True
        await _confirms(person, "Voice Phone")
        await person.sees("No response", "Outcome unknown: it cannot be verified now")
        await person.press("esc")
        await person.sees_line(r"Licences\s+1")
        wire.away, wire.away_after = False, False
        await person.sees("●")
        await person.press("ctrl+o")
        await _confirms(person, "Voice Phone")
        await person.sees("Not sent: an earlier change got no response", "Verified: the change was")
        assert _sent(person, "create_company_subscription") == 1
        await person.press("esc", "esc", "y", "o")
        await person.sees_line(r"Voice Phone\W+(creating|active)\W+0/1")


# --- roles ---------------------------------------------------------------------------------------------------------


async def test_a_business_admin_deals_with_demo_offers_only(service: str) -> None:
    async with story(profile(service, "business_admin@demo.example")) as person:
        await _sees_subscriptions(person, "Harbour Telecom Partners")
        await person.sees_line(r"▌Enterprise for pa\S+\W+active\W+2/10")
        await person.sees("1 subscription ")
        await person.press("n")
        await person.sees("Which offer?", "Trial  priced per user")
        await person.does_not_see("Attendant")


async def test_support_looks_and_changes_nothing(service: str) -> None:
    async with story(profile(service, "support@demo.example")) as person:
        await _sees_subscriptions(person, "Northwind Telecom")
        await _finds(person, "Attendant")
        for key, label in (("e", "Edit"), ("n", "New"), ("x", "Delete")):
            await person.press(key)
            await person.sees(f"{label}: needs superadmin, business_admin")


async def test_names_full_of_escapes_are_drawn_as_marks_and_confirmed_by_what_is_seen(hostile_service: str) -> None:
    async with story(profile(hostile_service, SUPERADMIN)) as person:
        await _sees_subscriptions(person, "Storm")
        await _finds(person, "closing")
        await person.press("x")
        await person.sees("Delete subscription [/x] closing")
        await person.press("esc", "e")
        await person.sees("Licences")
