"""Which events are about changes made here."""

from __future__ import annotations

import asyncio

from svc_tui.workspace.changes.effects import EVENT_SECONDS, ChangeAction, Effect, OwnChanges
from svc_tui.workspace.kinds.registry import KINDS

SUBSCRIPTIONS = KINDS["subscriptions"]
RECORD = {"id": "s1", "status": "active", "syncOngoing": True, "maxNumberUsers": 12, "customData": {}}
EVENT = {"action": "update", "subscriptionId": "s1", "syncOngoing": True, "maxNumberUsers": 12}


def made(action: ChangeAction = "update", at: float = 0.0) -> OwnChanges:
    """One change was made here, a number of seconds ago."""
    times = iter([0.0])
    changes = OwnChanges(lambda: next(times, at))
    changes.add(Effect(SUBSCRIPTIONS, action, "s1", RECORD))
    return changes


async def test_an_update_has_one_event() -> None:
    changes = made()
    assert await changes.include(SUBSCRIPTIONS, "s1", EVENT)
    assert not await changes.include(SUBSCRIPTIONS, "s1", EVENT)


async def test_an_event_with_other_values_is_about_another_change() -> None:
    assert not await made().include(SUBSCRIPTIONS, "s1", {**EVENT, "maxNumberUsers": 15})
    assert not await made().include(SUBSCRIPTIONS, "s2", EVENT)


async def test_an_event_long_after_an_update_is_about_another_one() -> None:
    assert await made(at=EVENT_SECONDS - 1).include(SUBSCRIPTIONS, "s1", EVENT)
    assert not await made(at=EVENT_SECONDS).include(SUBSCRIPTIONS, "s1", EVENT)


async def test_records_that_were_created_and_deleted_here_stay_so() -> None:
    created, deleted = {**EVENT, "action": "create"}, {"action": "delete", "subscriptionId": "s1"}
    assert await made("create", at=1e6).include(SUBSCRIPTIONS, "s1", created)
    assert await made("delete", at=1e6).include(SUBSCRIPTIONS, "s1", deleted)
    assert not await made("create").include(SUBSCRIPTIONS, "s1", deleted)


async def test_an_event_does_not_wait_for_a_change_of_another_kind() -> None:
    changes = made()
    async with asyncio.timeout(1):
        with changes.performing(Effect(KINDS["companies"], "update", "c1")), changes.performing(None):
            assert await changes.include(SUBSCRIPTIONS, "s1", EVENT)
