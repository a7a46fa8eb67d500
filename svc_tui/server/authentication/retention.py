"""Removal of records that have expired, once an hour: failed logins, trusted applications, OAuth grants, single use
values."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import partial

from svc_tui.interface.dates import stamp
from svc_tui.server.hooks import background_job
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost

#: Seconds between two removals.
_EVERY = 3600.0


@background_job
def expired_record_removal(service: Service) -> AbstractAsyncContextManager[None]:
    """Remove what has expired for the length of a block."""
    act = partial(remove_expired, service)
    return in_turn(service, "expired records", act, _EVERY, "expired records could not be removed")


async def remove_expired(service: Service) -> None:
    """Remove what has expired. None of it is read any more."""
    now = service.clock.now()
    async with service.database.unit() as store:
        await store.login_guards.remove_all(AtMost("until", stamp(now)))
        await store.trusted_applications.remove_all(AtMost("until", stamp(now)))
        await store.oauth_tokens.remove_all(AtMost("expires", stamp(now)))
        await store.tickets.remove_expired(now=now)
        await store.rates.remove_before(int(now.timestamp()) // 60)
