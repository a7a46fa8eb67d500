"""Quotations that follow the form, with the real service: when one is requested, and which response is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest

from svc_tui.interface.access import Caller, Role
from svc_tui.workspace.subscriptions.buyer import buyer_of
from svc_tui.workspace.subscriptions.quoting import PAUSE, LiveQuotation, month, total
from tests.server.companies.support import CUSTOMER, GRANDCHILD, RESELLER
from tests.server.subscriptions.support import (
    BARE,
    CPAAS,
    ELSEWHERE,
    MONTHLY,
    PREPAID,
    USAGE,
    change,
    finance,
    furnished,
    offer_id,
    quotations_of,
    subscribed,
)
from tests.support.world import APP, PARTNER, World
from tests.workspace.conftest import Desk, Desks, Pauses
from tests.workspace.line import until


class Stubborn(httpx.AsyncBaseTransport):
    """Delivers a response even after the request was cancelled."""

    def __init__(self, service: httpx.AsyncBaseTransport) -> None:
        self.service = service
        self.answered = self.answers = 0
        self.hold = asyncio.Event()
        self.hold.set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self.service.handle_async_request(request)
        await answer.aread()
        self.answered += 1
        while not self.hold.is_set():
            try:
                await self.hold.wait()
            except asyncio.CancelledError:
                continue
        self.answers += 1
        return answer


def service_of(world: World) -> httpx.AsyncBaseTransport:
    return httpx.ASGITransport(app=world.app, raise_app_exceptions=False)


async def response(live: LiveQuotation) -> None:
    """Wait for the end of the request in progress."""
    await until(lambda: live.state not in ("waiting", "asking"))


@pytest.fixture
async def buyers(world: World) -> World:
    return await furnished(world)


@pytest.fixture
async def desk(desks: Desks, buyers: World) -> Desk:
    """A console of the partner's bp_finance."""
    user = await finance(buyers)
    made = desks.make(service_of(buyers), user, buyers.token(user))
    made.attach()
    return made


Quoting = Callable[..., tuple[LiveQuotation, Pauses]]


@pytest.fixture
def quoting(desk: Desk) -> Quoting:
    def make(workspace: Any = None) -> tuple[LiveQuotation, Pauses]:
        pauses = Pauses()
        return LiveQuotation(workspace or desk.workspace, CUSTOMER, pauses), pauses

    return make


def offered(**values: Any) -> dict[str, Any]:
    return {"offerId": offer_id(MONTHLY), **values}


def quotations(desk: Desk) -> int:
    """Number of requested quotations."""
    return sum(path.startswith(quotations_of(CUSTOMER)) for path in desk.line.requests)


async def quoted(live: LiveQuotation, pauses: Pauses) -> LiveQuotation:
    await until(lambda: live.state != "waiting" or bool(pauses.requests))
    pauses.end()
    await response(live)
    return live


async def test_one_quotation_is_requested_after_the_last_change(desk: Desk, quoting: Quoting) -> None:
    live, pauses = quoting()
    for keys, seats in enumerate((1, 12, 120), start=1):
        live.request(offered(maxNumberUsers=seats))
        await until(lambda keys=keys: len(pauses.requests) == keys)
    assert live.state == "waiting"
    assert quotations(desk) == 0
    await quoted(live, pauses)
    assert set(pauses.requests) == {PAUSE}
    assert quotations(desk) == 1
    assert live.quotation is not None
    assert month(live.quotation).then == Decimal("540.00")


async def test_the_same_quotation_is_not_requested_twice(desk: Desk, quoting: Quoting) -> None:
    live, pauses = quoting()
    live.request(offered(maxNumberUsers=3), at_once=True)
    await response(live)
    live.request(offered(maxNumberUsers=3))
    await response(live)
    assert (quotations(desk), live.state, pauses.requests) == (1, "quoted", [])


async def test_after_an_internal_error_no_quotation_is_awaited_and_it_can_be_repeated(
    desk: Desk, quoting: Quoting, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("inside")

    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
    live, _ = quoting()
    with monkeypatch.context() as patched:
        patched.setattr(desk.workspace, "perform", broken)
        live.request(offered(maxNumberUsers=1), at_once=True)
        await response(live)
        await until(lambda: bool(reported))
    assert (live.state, live.sentence, str(reported[0])) == ("refused", "The quotation failed.", "inside")
    live.repeat()
    await response(live)
    assert live.state == "quoted"


async def test_a_change_cancels_the_earlier_request(desk: Desk, quoting: Quoting) -> None:
    live, pauses = quoting()
    desk.line.hold()
    live.request(offered(maxNumberUsers=1), at_once=True)
    await until(lambda: desk.line.in_progress == 1)
    live.request(offered(maxNumberUsers=2))
    await until(lambda: desk.line.cancelled == 1)
    assert (live.state, live.quotation) == ("waiting", None)
    desk.line.release()
    await until(lambda: bool(pauses.requests))
    await quoted(live, pauses)
    assert live.quotation is not None
    assert month(live.quotation).then == Decimal("9.00")


async def test_a_late_response_is_never_shown_for_newer_values(desks: Desks, buyers: World) -> None:
    user = await finance(buyers)
    late = Stubborn(service_of(buyers))
    desk = desks.make(late, user, buyers.token(user))
    desk.attach()
    pauses = Pauses()
    live = LiveQuotation(desk.workspace, CUSTOMER, pauses)
    shown: list[Any] = []
    live.subscribe(lambda: shown.append(live.quotation))
    late.hold.clear()
    live.request(offered(maxNumberUsers=1), at_once=True)
    await until(lambda: late.answered == 1)
    live.request(offered(maxNumberUsers=2))
    late.hold.set()
    await until(lambda: late.answers == 1 and desk.line.in_progress == 0)
    await until(lambda: bool(pauses.requests))
    assert not any(shown)
    await quoted(live, pauses)
    assert [month(one).then for one in shown if one] == [Decimal("9.00")]


async def test_nothing_is_shown_for_invalid_values(quoting: Quoting) -> None:
    live, _ = quoting()
    live.request(offered(maxNumberUsers=1), at_once=True)
    await response(live)
    live.request(None)
    assert (live.state, live.quotation) == ("nothing", None)


async def test_a_refusal_is_reported_by_field(quoting: Quoting) -> None:
    live, _ = quoting()
    live.request({"offerId": offer_id(PREPAID), "promoCode": "NOTHING"}, at_once=True)
    await response(live)
    assert (live.state, dict(live.problems)) == ("refused", {"promoCode": "is not a promotional code"})
    live.request({"offerId": offer_id(USAGE)}, at_once=True)
    await response(live)
    assert live.state == "refused"
    assert "cannot be quoted" in live.sentence


async def test_a_request_without_a_response_is_repeated_after_a_reconnection(desk: Desk, quoting: Quoting) -> None:
    live, _ = quoting()
    desk.line.cut = True
    live.request(offered(maxNumberUsers=4), at_once=True)
    await response(live)
    assert (live.state, live.quotation) == ("lost", None)
    desk.line.cut = False
    await until(lambda: bool(desk.pauses.requests))
    desk.pauses.end()
    await until(lambda: live.state == "quoted")
    assert live.requested == offered(maxNumberUsers=4)


async def test_a_request_without_a_login_is_repeated_after_the_login(
    desk: Desk, buyers: World, quoting: Quoting
) -> None:
    live, _ = quoting()
    user = desk.workspace.user
    assert user is not None and desk.workspace.session is not None
    desk.client.session.accept({"token": "not.valid.anymore", "loggedInUser": user})
    live.request(offered(maxNumberUsers=4), at_once=True)
    await response(live)
    assert live.state == "lost"
    desk.client.session.accept({"token": buyers.token(dict(user)), "loggedInUser": user})
    await until(lambda: live.state == "quoted")


async def test_a_read_only_console_can_request_quotations(desks: Desks, buyers: World, quoting: Quoting) -> None:
    user = await finance(buyers)
    desk = desks.make(service_of(buyers), user, buyers.token(user), read_only=True)
    desk.attach()
    live, _ = quoting(desk.workspace)
    live.request(offered(maxNumberUsers=1), at_once=True)
    await response(live)
    assert live.state == "quoted"


async def test_closing_cancels_the_request_without_an_event(desk: Desk, quoting: Quoting) -> None:
    live, _ = quoting()
    states: list[str] = []
    desk.line.hold()
    live.request(offered(maxNumberUsers=1), at_once=True)
    await until(lambda: desk.line.in_progress == 1)
    live.subscribe(lambda: states.append(live.state))
    live.close()
    await until(lambda: desk.line.cancelled == 1)
    assert states == []


async def test_a_copy_takes_over_a_received_response(desk: Desk, quoting: Quoting) -> None:
    live, pauses = quoting()
    live.request(offered(maxNumberUsers=2), at_once=True)
    await response(live)
    copy, _ = quoting()
    copy.copy_from(live)
    assert copy.quotation == live.quotation
    assert quotations(desk) == 1
    live.request(offered(maxNumberUsers=3))
    second, _ = quoting()
    second.copy_from(live)
    await response(second)
    assert second.quotation is not None
    assert month(second.quotation).then == Decimal("13.50")
    await until(lambda: bool(pauses.requests))


async def test_the_difference_against_today(desk: Desk, buyers: World, quoting: Quoting) -> None:
    held = await subscribed(buyers, MONTHLY, CUSTOMER)
    live, _ = quoting()
    live.request({"subscriptionId": held["id"], "maxNumberUsers": 12}, at_once=True)
    await response(live)
    assert live.quotation is not None, live.sentence
    monthly = month(live.quotation)
    assert (monthly.today, monthly.then, monthly.step) == (Decimal("45.0"), Decimal("54.0"), Decimal("9.0"))
    assert total(live.quotation).then is not None
    assert month({}).today is None


async def test_the_buyer_is_read_before_the_request(desk: Desk, buyers: World) -> None:
    found = await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=True)
    assert found.company is not None and found.partner is not None
    assert (found.company.bp_id, found.company.is_bp, found.partner.is_bp) == (PARTNER, False, True)
    assert (found.in_catalog, found.applicant_known, found.subscribed) == (True, True, False)
    await subscribed(buyers, MONTHLY, CUSTOMER)
    assert (await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=True)).subscribed
    assert not (await buyer_of(desk.workspace, CUSTOMER, offer_id(ELSEWHERE), new=True)).in_catalog
    await change(buyers, "companies", PARTNER, bpApplicantNumber="?")
    assert (await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=True)).applicant_known is False


async def test_an_offer_can_be_bought_again_after_it_failed_and_for_another_application(
    desk: Desk, buyers: World
) -> None:
    await subscribed(buyers, MONTHLY, CUSTOMER, status="failed")
    assert (await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=True)).subscribed is False
    await subscribed(buyers, CPAAS, CUSTOMER, applicationId=APP)
    assert (await buyer_of(desk.workspace, CUSTOMER, offer_id(CPAAS), new=True)).subscribed is None


async def test_a_partner_can_be_the_buyer(desk: Desk, buyers: World) -> None:
    await change(buyers, "companies", PARTNER, catalogId=BARE, bpApplicantNumber=None)
    found = await buyer_of(desk.workspace, PARTNER, offer_id(MONTHLY), new=True)
    assert found.company is not None
    assert (found.partner, found.in_catalog, found.applicant_known) == (None, False, False)


async def test_data_that_cannot_be_read_stay_unknown(desk: Desk) -> None:
    desk.line.cut = True
    found = await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=True)
    assert (found.company, found.partner, found.in_catalog, found.applicant_known) == (None, None, None, None)


async def test_a_partner_that_cannot_sell_is_recognised_by_roles_that_can_read_the_reason(
    desk: Desk, buyers: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=True)).no_sale == ""
    await change(buyers, "companies", PARTNER, bpCRDid=None)
    for company in (CUSTOMER, PARTNER):
        assert (
            "no order system number (CRD)"
            in (await buyer_of(desk.workspace, company, offer_id(MONTHLY), new=True)).no_sale
        )
    own = Caller(CUSTOMER, frozenset({Role.COMPANY_ADMIN}))
    monkeypatch.setattr(type(desk.workspace), "caller", own)
    assert (await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=True)).no_sale == ""


async def test_the_licences_of_the_reseller_are_read_for_its_customers(desk: Desk, buyers: World) -> None:
    await subscribed(buyers, MONTHLY, RESELLER, maxNumberUsers=10)
    await subscribed(buyers, MONTHLY, GRANDCHILD, maxNumberUsers=7)
    found = await buyer_of(desk.workspace, GRANDCHILD, offer_id(MONTHLY), new=False)
    assert found.reseller is not None
    assert (found.reseller.bought, found.reseller.free) == (10, 3)
    assert (await buyer_of(desk.workspace, CUSTOMER, offer_id(MONTHLY), new=False)).reseller is None
