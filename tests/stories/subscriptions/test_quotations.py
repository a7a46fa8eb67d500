"""The quotation workbench: what it would cost, side by side, explained where it is refused, and ordered."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from typing import Any

from svc_tui.client.profile import Profile
from svc_tui.console.areas.subscriptions.quotation_view import QuotationView
from svc_tui.server.demo.accounts import PASSWORD
from tests.stories.authentication.test_sessions import loses_the_session
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired

FINANCE = "bp_finance@demo.example"
#: An amount at the end of its cell.
AMOUNT = r"\s+[-+]?[\d,]+\.\d\d\b"


async def sees_lists(person: Story, key: str, company: str = "Northwind Telecom") -> None:
    await person.is_ready()
    await person.goes("companies")
    await person.sees(company, "NAME ▲")
    await person.puts_cursor_on(company)
    await person.press(key)
    await person.sees("▸ Subscriptions" if key == "B" else "▸ Offers")
    await person.is_ready()


async def quotes(person: Story, name: str) -> None:
    """Open the workbench of the subscription (or offer) with this name, which a narrow column may cut."""
    for _ in range(60):
        cell = re.match(r"▌(.+?)(…?)\s+(?:\W active|\W syncing|per user|flat fee)", person.cursor)
        if cell and _is_name(cell, name):
            break
        await person.press("down")
    await person.press("u")
    assert _is_name(await person.sees_line(r"Quotation of (.+?)(?:(…)|  )"), name)
    await person.sees_line(rf"Next invoice{AMOUNT}")


def _is_name(found: re.Match[str], name: str) -> bool:
    """Whether a name was found, whole or cut."""
    return name.startswith(found[1]) if found[2] else found[1] == name


async def types_over(person: Story, text: str) -> None:
    await person.press("end", *["backspace"] * 6)
    await person.type(text)


def quotations(person: Story, outcome: str = "") -> list[dict[str, Any]]:
    """What quotations were asked for; with an outcome only those that came to it."""
    found = [each for each in person.app.frame.workspace.log.exchanges if each.operation_id == "create_quotation"]
    return [json.loads(each.request_body) for each in found if outcome in (each.error or "")]


def nothing_is_asked(person: Story) -> bool:
    """Whether no quotation is asked for, nor will be after the pause."""
    assert isinstance(person.app.frame.view, QuotationView)
    return person.app.frame.view.bench.alternative.live.requested is None


async def test_raising_licences_shows_the_difference_and_orders_it(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Business")
        await person.sees_line(r"TODAY\s+▸ A")
        await person.sees_line(r"Per month\s+225\.00\s+225\.00")
        await person.sees_line(r"Order A +ctrl\+o reviews the order +nothing is changed")
        await person.press("tab")
        await person.sees("Switch: there is only one alternative")
        await types_over(person, "60")
        await person.sees_line(r"Per month\s+225\.00\s+270\.00")
        await person.sees_line(r"change from today\s+\+45\.00")
        await person.sees("A  270.00 EUR per month (+45.00), next invoice", "Next invoice of A")
        await person.press("ctrl+o")
        await person.sees("Edit subscription Business", "Per month: 225.00 EUR → 270.00 EUR")
        await person.sees("Licences: 50 → 60", "Type Business to confirm", "Affects 1 subscription of Northwind")
        await person.type("Business")
        await person.press("enter")
        await person.sees("Ordered. The billing systems confirm it shortly.", "Subscriptions of Northwind")
        await person.sees_line(r"▌Business\W+\w+\W+41/60")


async def test_fewer_licences_than_assigned_are_refused_at_the_field_without_a_request(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Voice Business")
        await types_over(person, "7")
        await person.sees("Licences: 10 licences are assigned: unassign some first", "not possible yet")
        await person.press("ctrl+o")
        await person.sees("Licences: 10 licences are assigned")
        await person.does_not_see("to confirm")
        assert nothing_is_asked(person)
        await types_over(person, "11")
        await person.does_not_see("unassign some first")
        await person.sees_line(rf"change from today{AMOUNT}")


async def test_a_letter_in_a_number_is_refused_at_the_field_without_a_request(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Business, one year")
        for label, kept in (("Licences", "12"), ("Prepaid term", "12"), ("Renewal term", "")):
            await person.on_field(label)
            await person.press("ctrl+u")
            await person.type("1o")
            await person.sees(f"{label}: must be a whole number", "not possible yet")
            await person.press("ctrl+o")
            await person.does_not_see("to confirm")
            assert nothing_is_asked(person)
            await person.press("ctrl+u")
            await person.type(kept)
            await person.does_not_see("must be a whole number")
        await person.sees_line(rf"change from today{AMOUNT}")


async def test_the_names_of_the_columns_stay_in_sight(service: str) -> None:
    async with story(profile(service, FINANCE), size=(80, 24)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Business, one year")
        await person.press("ctrl+d")
        await person.sees_line(r"TODAY\s+A\s+▸ B")
        await person.press(*["down"] * 25)
        await person.does_not_see("Prepaid term")
        await person.sees_line(r"TODAY\s+A\s+▸ B")
        await person.press("tab")
        await person.sees_line(r"TODAY\s+▸ A\s+B")


async def test_an_order_that_would_be_refused_is_known_from_its_quotation_and_keeps_all_values(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Enterprise, three years")
        await types_over(person, "15")
        await person.sees_line(r"change from today\s+-34\.00")
        await person.sees_line(r"Prepaid until 20\d\d-\d\d-\d\d: the service removes only licences added this month\.")
        await person.sees_across_lines(
            "Cannot be ordered: a prepaid subscription can lose only licences added this month"
        )
        await person.press("ctrl+o")
        await person.does_not_see("Type Enterprise, three years to confirm")
        await person.sees_line(r"Licences\s+20\s+15")
        await types_over(person, "21")
        await person.does_not_see("can lose only licences")


async def test_three_terms_stand_side_by_side_and_the_chosen_one_is_ordered(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Business, one year")
        await person.press("down", "ctrl+d")
        await person.sees("enter Next  tab Switch  ctrl+o Review")
        await types_over(person, "24")
        await person.press("ctrl+d")
        await types_over(person, "36")
        await person.sees_line(r"TODAY\s+A\s+B\s+▸ C")
        await person.sees_line(r"Prepaid term\s+12\s+12\s+24\s+36")
        ends = await person.sees_line(r"Term ends\s+(\d{4})(-\S+)\s+(\d{4})\2\s+(\d{4})\2\s+(\d{4})\2")
        first = int(ends[1])
        assert [int(ends[each]) - first for each in (3, 4, 5)] == [0, 1, 2]
        row = await person.sees_line(rf"Per month({AMOUNT}){{4}}")
        today, year, two, three = (float(each.replace(",", "")) for each in row.group().split()[2:])
        assert today == year > two > three
        await person.press("f5")
        await person.sees("Add: at most 3 alternatives")
        await person.press("shift+tab")
        await person.sees_line(r"A\s+▸ B\s+C")
        await person.press("ctrl+o")
        await person.sees("Prepaid term: 12 → 24", '"prepaidDuration": 24', "Term ends: 20")
        await person.press("esc")
        await person.press("ctrl+x")
        await person.sees_line(r"A\s+▸ B  ")
        await person.sees_line(r"Prepaid term\s+12\s+12\s+36")


async def test_a_term_never_becomes_shorter(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "O")
        await quotes(person, "Enterprise, three years")
        await person.on_field("Prepaid term")
        await types_over(person, "24")
        await person.sees("Prepaid term: a term can only increase: at least 36 months")
        assert nothing_is_asked(person)
        await types_over(person, "7")
        await person.sees("Prepaid term: must be 12 or more")
        assert nothing_is_asked(person)


async def test_a_quotation_that_arrives_late_is_not_shown(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Voice Phone")
        wire.hold = b"POST /api/svc/subscription"
        await types_over(person, "9")
        await person.until(wire.held.is_set, "the first quotation was not asked for")
        await person.sees("A  waiting for the quotation…")
        await person.press("ctrl+o")
        await person.sees("Waiting for the quotation")
        await types_over(person, "8")
        await person.sees_line(r"Per month\s+12\.00\s+19\.20")
        wire.released.set()
        await person.press("down", "up")
        await person.sees_line(r"Licences\s+5\s+8")
        await person.sees_line(r"Per month\s+12\.00\s+19\.20")
        assert len(quotations(person, outcome="Cancelled")) == 1


async def test_the_link_is_lost_and_what_was_typed_is_quoted_when_it_is_back(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Voice Phone")
        wire.away = True
        wire.cut()
        await types_over(person, "15")
        await person.sees("○ offline", "no response", "request is repeated automatically.")
        await person.sees_line(r"Licences\s+5\s+15")
        wire.away = False
        await person.sees_line(r"Per month\s+12\.00\s+36\.00")
        await person.does_not_see("asked again")


def by_hand(url: str) -> Profile:
    return replace(profile(url, password=""), login=FINANCE)


async def test_the_session_ends_while_quoting_and_nothing_typed_is_lost(service: str) -> None:
    async with story(by_hand(service)) as person:
        await person.sees("Log in to demo")
        await person.type(PASSWORD)
        await person.press("enter")
        await person.does_not_see("Log in to demo")
        await sees_lists(person, "B")
        await quotes(person, "Voice Phone")
        loses_the_session(person)
        # One key: what is typed behind it would go to the box of the login.
        await person.type("9")
        await person.sees("Log in to demo")
        await person.type(PASSWORD)
        await person.press("enter")
        await person.does_not_see("Log in to demo")
        await person.sees_line(r"Licences\s+5\s+9")
        await person.sees_line(r"Per month\s+12\.00\s+21\.60")


async def test_an_invalid_promotional_code_is_shown_at_its_field(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Voice Phone")
        await person.on_field("Promotional code")
        await person.type("NOTHING")
        await person.sees("Promotional code: is not a promotional code")
        await types_over(person, "")
        await person.press("backspace")
        await person.type("WELCOME10")
        await person.sees_line(r"Per month\s+12\.00\s+10\.80")


async def test_a_promotion_shows_its_end_and_the_price_afterwards(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Business, one year")
        await person.sees_line(r"Promotional code\s+WELCOME10\s+WELCOME10")
        ends = r"(\d{4}-\d\d-\d\d)"
        await person.sees_line(rf"after {ends}\s+46\.80\s+46\.80")
        await person.type("24")
        await person.on_field("Promotional code")
        await person.type("TEAM20")
        await person.sees_line(r"Promotional code\s+WELCOME10\s+TEAM20")
        row = await person.sees_line(rf"promotion until\s+{ends}\s+{ends}\b")
        assert row[1] > row[2]
        await person.sees_line(r"then per month\s+46\.80\s+93\.60")
        await person.press("ctrl+o")
        await person.sees(f"Per month after {row[2]}: 46.80 EUR → 93.60 EUR")
        await person.press("esc")
        await person.press(*["pgdn"] * 3)
        await person.sees_line(rf"Promotion TEAM20 · .* · 20 % off until {row[2]}\s+-\d")
        await person.sees_line(r"Licences\s+per month 93\.60 \(\+46\.80\) · term")
        await person.sees_line(r"Promotion TEAM20\s+per month -18\.72 \(-14\.04\) · term")


async def test_a_number_is_replaced_by_what_is_typed_and_edited_from_its_end(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Business")
        await person.type("83")
        await person.sees_line(r"Licences\s+\d0\s+83")
        await person.press("ctrl+d", "backspace")
        await person.type("5")
        await person.sees_line(r"Licences\s+\d0\s+83\s+85")
        await person.press("down", "up")
        await person.type("7")
        await person.pilot.resize_terminal(82, 24)
        await person.type("0")
        await person.sees_line(r"Licences\s+\d0\s+83\s+70")


async def test_an_offer_is_quoted_and_subscribed_and_back_leads_to_the_offers(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "O")
        await quotes(person, "Enterprise")
        await person.does_not_see("TODAY", "change from today")
        await types_over(person, "4")
        await person.sees_line(r"Per month\s+35\.60")
        await person.on_field("Purchase order number")
        await person.type("PO-77")
        await person.press("ctrl+o")
        await person.sees("Subscribe Enterprise", "Per month: 0.00 EUR → 35.60 EUR", '"purchaseOrderNumber": "PO-77"')
        await person.type("Enterprise")
        await person.press("enter")
        await person.sees_line(r"Ordered\. The billing systems confirm it shortly\.|Enterprise is active: ")
        await person.sees("Subscriptions of Northwind Telecom")
        await person.sees_line(r"▌Enterprise\W+\w+\W+0/4")
        await person.press("esc")
        await person.sees("Offers of Northwind Telecom")
        await person.until(lambda: "Enterprise" in person.cursor, "the offer is not selected")


async def test_an_offer_that_the_company_already_has_is_greyed_out(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "O")
        await person.puts_cursor_on("Attendant")
        await person.press("u")
        await person.sees("The company already has a subscription to this offer")
        await person.press("ctrl+o")
        await person.does_not_see("to confirm")


async def test_what_was_typed_in_the_form_of_a_subscription_is_quoted_and_ordered(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await person.puts_cursor_on("Voice Business")
        await person.press("e")
        await person.sees("Edit Voice Business")
        await person.on_field("Licences")
        await types_over(person, "14")
        await person.sees("f4 Quote")
        await person.press("f4")
        await person.sees("Quotation of Voice Business")
        await person.sees_line(r"Licences\s+10\s+14")
        await person.sees_line(r"Per month\s+72\.00\s+100\.80")
        await person.press("ctrl+o")
        await person.sees("Type Voice Business to confirm")
        await person.type("Voice Business")
        await person.press("enter")
        await person.sees("Ordered", "Subscriptions of Northwind")
        await person.sees_line(r"Voice Business\W+\w+\W+10/14")


async def test_who_may_not_quote_and_what_has_no_price_is_greyed_with_the_reason(service: str) -> None:
    async with story(profile(service, "company_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("subscriptions")
        await person.sees("LICENCES", "Business")
        await person.press("u")
        await person.sees("Quote: needs superadmin or bp_finance")
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B")
        await person.puts_cursor_on("Conference")
        await person.press("u")
        await person.sees("Quote: offers with the model by usage cannot be quoted")


async def test_a_company_without_a_partner_sees_why_it_has_no_quotation(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example")) as person:
        await sees_lists(person, "O", "Default")
        await person.puts_cursor_on("Business")
        await person.press("u")
        await person.sees("The company is not a partner (BP) and has no partner")
        assert quotations(person) == []


async def test_an_order_without_a_response_is_verified_and_not_sent_twice(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, FINANCE)) as person:
        await sees_lists(person, "B", "Northwind Retail")
        await quotes(person, "Edge Gateway")
        await person.on_field("Purchase order number")
        await person.type("PO-LOST")
        await person.press("ctrl+o")
        await person.sees("Type Edge Gateway to confirm")
        await person.type("Edge Gateway")
        wire.swallow = b"PUT "
        wire.breaks.clear()
        await person.press("enter")
        await person.sees("Sending…")
        wire.breaks.set()
        await person.does_not_see("enter Send")
        await person.sees("Verified: the change was made", "esc Close")
        await person.does_not_see("No response")
        await person.press("enter", "enter", "esc")
        await person.sees("Subscriptions of Northwind Retail", "the change was made")
        sent = [each for each in person.app.frame.workspace.log.exchanges if each.method == "PUT"]
        assert len(sent) == 1


async def test_a_quotation_that_does_not_hold_any_more_is_not_ordered_but_asked_for_again(service: str) -> None:
    async with story(profile(service, FINANCE)) as person:
        await sees_lists(person, "B", "Northwind Retail")
        await quotes(person, "Business, one year")
        await types_over(person, "11")
        await person.sees_line(rf"change from today{AMOUNT}")
        asked = len(quotations(person))
        person.app.frame.workspace.now = lambda: time.time() + 40 * 86400
        await person.press("ctrl+o")
        await person.sees("This quotation has expired. A new one is requested.")
        await person.until(lambda: len(quotations(person)) > asked, "no new quotation was asked for")
        await person.does_not_see("to confirm")


async def test_few_columns_show_what_is_chosen(service: str) -> None:
    async with story(profile(service, FINANCE), size=(44, 24)) as person:
        await sees_lists(person, "B")
        await quotes(person, "Voice Phone")
        await person.press("ctrl+d", "ctrl+d")
        await person.sees_line(r"TODAY\s+▸ C")
        await person.press("tab")
        await person.sees_line(r"TODAY\s+▸ A")
        await person.pilot.resize_terminal(80, 24)
        await person.sees_line(r"TODAY\s+▸ A\s+B\s+C")
