"""Brings synchronisations to their end when they are due, whichever process began them, also after a restart."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.timestamps import moment, stamp
from svc_tui.server.background import in_background
from svc_tui.server.billing.interface import Action, Billing
from svc_tui.server.clock import Clock
from svc_tui.server.responses import log
from svc_tui.server.store.conditions import AtMost, Is, Not
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.making import settled
from svc_tui.server.subscriptions.paying import pay
from svc_tui.server.subscriptions.telling import tell

#: Seconds until what another process began is looked for.
_LONGEST = 30.0
#: Seconds until a database or billing system that did not answer is asked again.
_AGAIN = 5.0


class Synchroniser:
    """One for each process; a subscription is settled by the first that locks it when it is due."""

    def __init__(self, database: Database, clock: Clock, billing: Billing, wake: Callable[[], None]) -> None:
        """`wake` is called when something was settled, and told."""
        self._database = database
        self._clock = clock
        self._billing = billing
        self._told = wake
        self._wanted = asyncio.Event()
        self._idle = asyncio.Event()
        self._trouble = False

    def wake(self) -> None:
        """A synchronisation was begun, or time has passed."""
        self._idle.clear()
        self._wanted.set()

    async def settled(self) -> None:
        """Wait until all that is due by now is settled."""
        await self._idle.wait()

    async def settle(self) -> int:
        """Settle all that is due; how many there were."""
        async with self._database.unit() as store:
            due = await store.subscriptions.find(AtMost("syncDue", stamp(self._clock.now())), sort=Sort("syncDue"))
        count, self._trouble = 0, False
        for each in due.documents:
            try:
                count += await self._settle(each["id"])
            except SQLAlchemyError:
                raise
            except Exception as error:
                # Whatever billing systems raise: this one stays due, and holds up no other.
                self._trouble = True
                log.error("subscription %s could not be settled: %s", each["id"], type(error).__name__)
        return count

    async def _settle(self, id: str) -> bool:
        async with self._database.unit() as store:
            await store.lock(f"subscription:{id}")
            subscription, now = await store.subscriptions.get(id), self._clock.now()
            if subscription is None or not subscription.get("syncDue") or moment(subscription["syncDue"]) > now:
                return False
            action: Action = subscription.get("syncAction") or "update"
            answer = await self._billing.settle(action, subscription, now)
            if answer.state == "running":
                due = answer.due or now + timedelta(seconds=_AGAIN)
                await store.subscriptions.put({**subscription, "syncDue": stamp(due)})
                return False
            if answer.state == "failed":
                log.warning("the synchronisation of subscription %s failed: %s", id, answer.reason)
            await self._write(store, subscription, well=answer.state == "done", now=now)
        self._told()
        return True

    async def _write(self, store: Store, subscription: Document, *, well: bool, now: datetime) -> None:
        found = await store.subscriptions.put(settled(subscription, well=well))
        await pay(store, found)
        company = await store.companies.get(str(subscription["companyId"]))
        if company is not None:
            made = subscription.get("syncAction") == "create"
            await tell(store, "create" if made else "update", found, company, now)

    async def _next(self) -> float:
        """Seconds until the next one is due."""
        async with self._database.unit() as store:
            running = await store.subscriptions.find(Not(Is("syncDue", None)), sort=Sort("syncDue"), limit=1)
        if not running.documents:
            return _LONGEST
        left = (moment(running.documents[0]["syncDue"]) - self._clock.now()).total_seconds()
        return min(max(left, 0.05), _LONGEST)

    async def _work(self) -> None:
        while True:
            self._wanted.clear()
            try:
                await self.settle()
                pause = _AGAIN if self._trouble else await self._next()
            except (SQLAlchemyError, OSError) as error:
                # They stay due: they are looked at again.
                log.error("subscriptions could not be settled: %s", type(error).__name__)
                pause = _AGAIN
            if not self._wanted.is_set():
                self._idle.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wanted.wait()

    def running(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Settle for the length of a block; what is not due at its end is settled after the next start."""
        return in_background(self._work())
