"""Unconfirmed writes: verified at the service, reported, and never sent again while the outcome is unknown."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from svc_tui.client.errors import OutcomeUnknown, ServiceError
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.changes.unconfirmed_writes import PAUSES, VerifiedOutcome
from svc_tui.workspace.kinds.registry import KINDS
from tests.workspace.conftest import Desk, Desks
from tests.workspace.line import until
from tests.workspace.subscriptions.purchases import PATH, Shop, path_of

FINANCE = {"id": "u0", "displayName": "Fatima", "roles": ["user", "bp_finance"], "companyId": "c0"}
HELD = {"id": "s9", "offerId": "o9", "status": "active", "syncOngoing": False, "maxNumberUsers": 5}


def desk_of(desks: Desks, shop: Shop) -> Desk:
    desk = desks.make(shop, FINANCE)
    desk.attach()
    return desk


async def lost(desk: Desk, operation: str, path: dict[str, str], body: Any = None, **options: Any) -> None:
    """Send a purchase whose response is lost."""
    sending = asyncio.ensure_future(desk.workspace.perform(operation, path=path, body=body, **options))
    shop = desk.line.service
    assert isinstance(shop, Shop)
    await until(lambda: bool(shop.done))
    with pytest.raises(OutcomeUnknown):
        await sending


async def found(desk: Desk, operation: str, path: dict[str, str]) -> VerifiedOutcome:
    """Verify the outcome through all pauses."""
    looking = asyncio.ensure_future(desk.workspace.verify(operation, path))
    while not looking.done():
        desk.pauses.end()
        await asyncio.sleep(0)
    finding = looking.result()
    assert finding is not None
    return finding


class LosesAnswers(Shop):
    """Loses the responses to changes; with `arrives` false also the requests."""

    arrives = True

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return await super().handle_async_request(request)
        if self.arrives:
            await super().handle_async_request(request)
        else:
            self.done.append(request.method)
        raise httpx.ReadError("lost", request=request)


async def test_a_creation_that_was_made_is_found_among_the_earlier_records(desks: Desks) -> None:
    shop = LosesAnswers({**HELD, "id": "s0", "offerId": "o1", "status": "terminated"})
    desk = desk_of(desks, shop)
    await lost(desk, "create_company_subscription", PATH, {"offerId": "o1", "maxNumberUsers": 3})
    finding = await found(desk, "create_company_subscription", PATH)
    assert finding.done and finding.record == shop.held["s1"]
    assert "the change was made once" in finding.sentence
    assert shop.done == ["POST"]


async def test_a_record_of_another_administrator_is_not_taken_for_the_creation(desks: Desks) -> None:
    shop = LosesAnswers()
    shop.arrives = False
    desk = desk_of(desks, shop)
    await lost(desk, "create_company_subscription", PATH, {"offerId": "o1"})
    shop.held["other"] = {**HELD, "id": "other", "offerId": "o2"}
    assert (await found(desk, "create_company_subscription", PATH)).done is False


async def test_a_change_is_verified_several_times_before_it_counts_as_not_made(desks: Desks) -> None:
    shop = LosesAnswers(HELD)
    shop.arrives = False
    desk = desk_of(desks, shop)
    await lost(desk, "update_company_subscription", path_of("s9"), {"maxNumberUsers": 6})
    asked = len(desk.pauses.requests)
    finding = await found(desk, "update_company_subscription", path_of("s9"))
    assert finding.done is False and "the change was not made (status active)" in finding.sentence
    assert [seconds for seconds in desk.pauses.requests[asked:] if seconds in PAUSES] == list(PAUSES)


async def test_a_change_that_arrives_late_is_still_found(desks: Desks) -> None:
    shop = LosesAnswers(HELD)
    shop.arrives = False
    desk = desk_of(desks, shop)
    await lost(desk, "update_company_subscription", path_of("s9"), {"maxNumberUsers": 6})
    looking = asyncio.ensure_future(desk.workspace.verify("update_company_subscription", path_of("s9")))
    await until(lambda: PAUSES[0] in desk.pauses.requests)
    shop.held["s9"] = {**HELD, "maxNumberUsers": 6, "syncOngoing": True}
    while not looking.done():
        desk.pauses.end()
        await asyncio.sleep(0)
    finding = looking.result()
    assert finding is not None and finding.done


async def test_a_deletion_is_verified_by_the_missing_record(desks: Desks) -> None:
    shop = LosesAnswers(HELD)
    desk = desk_of(desks, shop)
    await lost(desk, "delete_company_subscription", path_of("s9"))
    finding = await found(desk, "delete_company_subscription", path_of("s9"))
    assert finding.done and "the record was deleted" in finding.sentence


async def test_nothing_is_sent_again_while_the_outcome_cannot_be_verified(desks: Desks) -> None:
    shop = LosesAnswers()
    desk = desk_of(desks, shop)
    await lost(desk, "create_company_subscription", PATH, {"offerId": "o1"})
    shop.refusal = httpx.Response(503, json={"errorCode": 503, "errorMsg": "Service Unavailable"})
    assert (await found(desk, "create_company_subscription", PATH)).done is None
    with pytest.raises(ServiceError, match="Not sent: an earlier change got no response"):
        await desk.workspace.perform("create_company_subscription", path=PATH, body={"offerId": "o1"})
    assert shop.done == ["POST"]


async def test_a_change_that_was_made_is_not_sent_again_and_a_new_purchase_is_possible(desks: Desks) -> None:
    shop = LosesAnswers()
    desk = desk_of(desks, shop)
    await lost(desk, "create_company_subscription", PATH, {"offerId": "o1"})
    with pytest.raises(ServiceError, match="the change was made once"):
        await desk.workspace.perform("create_company_subscription", path=PATH, body={"offerId": "o1"})
    assert shop.done == ["POST"]
    with pytest.raises(OutcomeUnknown):
        await desk.workspace.perform("create_company_subscription", path=PATH, body={"offerId": "o2"})
    assert shop.done == ["POST", "POST"]


async def test_a_purchase_is_not_sent_when_it_could_not_be_verified_afterwards(desks: Desks) -> None:
    shop = Shop()
    shop.refusal = httpx.Response(503, json={"errorCode": 503, "errorMsg": "Service Unavailable"})
    desk = desk_of(desks, shop)
    with pytest.raises(ServiceError):
        await desk.workspace.perform("create_company_subscription", path=PATH, body={"offerId": "o1"})
    assert shop.done == []


async def test_a_verified_change_is_shown_and_can_be_undone(desks: Desks) -> None:
    shop = LosesAnswers(HELD)
    desk = desk_of(desks, shop)
    listing = desk.workspace.listing("list_company_subscriptions", path=PATH, query={"format": "full"})
    listing.request(0, 10)
    await listing.wait_until_idle()
    body = {"maxNumberUsers": 6}
    undo = UndoEntry.of_update(
        "Change", KINDS["subscriptions"], "update_company_subscription", path_of("s9"), body, dict(HELD)
    )
    await lost(desk, "update_company_subscription", path_of("s9"), body, undo=undo)
    assert not desk.workspace.journal.entries
    assert (await found(desk, "update_company_subscription", path_of("s9"))).done
    row = listing.row(0)
    assert row is not None and row["maxNumberUsers"] == 6
    assert [entry.body for entry in desk.workspace.journal.entries] == [{"maxNumberUsers": 5}]


async def test_a_change_with_a_response_is_not_unconfirmed(desks: Desks) -> None:
    desk = desk_of(desks, Shop(HELD))
    await desk.workspace.perform("update_company_subscription", path=path_of("s9"), body={"maxNumberUsers": 6})
    assert await desk.workspace.verify("update_company_subscription", path_of("s9")) is None
