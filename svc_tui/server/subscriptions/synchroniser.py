"""Completes synchronisations when they are due, regardless of the process that started them, also after a restart."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.interface.dates import stamp
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.server.billing.interface import Billing
from svc_tui.server.clock import Clock
from svc_tui.server.hooks import background_job
from svc_tui.server.http.measures import SYNCHRONISATIONS, Measures
from svc_tui.server.log_lines import log
from svc_tui.server.running.background import in_background
from svc_tui.server.service import Service
from svc_tui.server.store import audit
from svc_tui.server.store.conditions import AtMost, Is, Not
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCompany, StoredSubscription
from svc_tui.server.subscriptions.records import end_synchronisation, notify, update_paid_application

#: Seconds between checks for synchronisations that another process started.
_LONGEST = 30.0
#: Seconds before a retry when a database or billing system did not answer.
_RETRY = 5.0
#: Shortest pause while a subscription is locked by another process.
_BUSY = 0.5


class Synchroniser:
    """Completes synchronisations, one for each process: the first process that locks a due subscription does it."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        billing: Billing,
        completed: Callable[[], None],
        count: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`completed` is called after each synchronisation with events to deliver, `count` with its result."""
        self._count = count
        self._database = database
        self._clock = clock
        self._billing = billing
        self._completed = completed
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        self._failed = self._busy = False

    def wake(self) -> None:
        """Check now: a synchronisation was started, or time has passed."""
        self._idle.clear()
        self._woken.set()

    async def wait_until_idle(self) -> None:
        """Wait until all synchronisations that are due are complete."""
        await self._idle.wait()

    async def complete_due(self) -> int:
        """Complete all synchronisations that are due, and return their number."""
        async with self._database.unit() as store:
            due = await store.subscriptions.find(AtMost("syncDue", stamp(self._clock.now())), sort=Sort("syncDue"))
        count, self._failed, self._busy = 0, False, False
        for subscription in all_typed(StoredSubscription, due.documents):
            try:
                count += await self._complete(subscription.id)
            except SQLAlchemyError:
                raise
            except Exception as error:
                # After an error of a billing system the subscription stays due and does not block the others.
                self._failed = True
                log.error("subscription %s could not be synchronised: %s", subscription.id, type(error).__name__)
        return count

    async def _complete(self, id: str) -> bool:
        async with self._database.unit() as store:
            if not await store.try_lock(f"subscription:{id}"):
                # Another process completes it, or a request changes it.
                self._busy = True
                return False
            subscription, now = typed(StoredSubscription, await store.subscriptions.get(id)), self._clock.now()
            if subscription is None or subscription.sync_due is None or subscription.sync_due > now:
                return False
            result = await self._billing.sync_result(subscription.sync_action or "update", subscription, now)
            if result.state == "running":
                later = copied(subscription)
                later.sync_due = result.due or now + timedelta(seconds=_RETRY)
                await store.subscriptions.put(document_of(later))
                return False
            if result.state == "failed":
                log.warning("the synchronisation of subscription %s failed: %s", id, result.reason)
            await self._write(store, subscription, succeeded=result.state == "done", now=now)
        self._count(result.state)
        self._completed()
        return True

    async def _write(self, store: Store, subscription: StoredSubscription, *, succeeded: bool, now: datetime) -> None:
        ended = end_synchronisation(subscription, succeeded=succeeded)
        await store.subscriptions.put(document_of(ended))
        await update_paid_application(store, ended)
        company = typed(StoredCompany, await store.companies.get(subscription.company_id))
        if company is not None:
            created = subscription.sync_action == "create"
            await notify(store, "create" if created else "update", ended, company, now)

    async def _seconds_until_next(self) -> float:
        async with self._database.unit() as store:
            found = await store.subscriptions.find(Not(Is("syncDue", None)), sort=Sort("syncDue"), limit=1)
        running = all_typed(StoredSubscription, found.documents)
        if not running or running[0].sync_due is None:
            return _LONGEST
        left = (running[0].sync_due - self._clock.now()).total_seconds()
        return min(max(left, 0.05), _LONGEST)

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            try:
                with audit.job("synchronisations"):
                    await self.complete_due()
                pause = _RETRY if self._failed else await self._seconds_until_next()
                pause = max(pause, _BUSY) if self._busy else pause
            except (SQLAlchemyError, OSError) as error:
                # The subscriptions stay due until the retry.
                log.error("subscriptions could not be synchronised: %s", type(error).__name__)
                pause = _RETRY
            if not self._woken.is_set() and not self._busy:
                self._idle.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._woken.wait()

    def running(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Complete synchronisations for the length of a block; those due later are completed after the next start."""
        return in_background(self._run())


def synchroniser_of(service: Service) -> Synchroniser:
    """The synchroniser of a service."""
    count = partial(service.part(Measures).add, SYNCHRONISATIONS)
    return Synchroniser(service.database, service.clock, service.billing, service.event_delivery.wake, count)


@background_job
def synchronising(service: Service) -> contextlib.AbstractAsyncContextManager[None]:
    """Complete synchronisations while the server runs."""
    return service.part(synchroniser_of).running()
