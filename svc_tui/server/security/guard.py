"""Account locks (5.6): failed attempts are counted, too many lock the account, another one during the lock restarts it.

Unknown logins are treated in the same way, so that a lock does not reveal which accounts exist.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta

from svc_tui.interface.errors import Code
from svc_tui.interface.timestamps import stamp
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import AtMost
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Time in which a repeated attempt counts as the same one.
_SAME_ATTEMPT = timedelta(minutes=2)
#: How the guard of a login without a user begins.
_UNKNOWN = "unknown:"


def guard_of(user: Document | None, login: str) -> str:
    """The id of the guard: that of the user, or one made of an unknown login."""
    if user is not None:
        return str(user["id"])
    return _UNKNOWN + hashlib.sha256(login.casefold().encode()).hexdigest()


def locked(id: str, until: str) -> Document:
    """The guard of an account that is locked until this time."""
    return {"id": id, "failures": 0, "locked": True, "until": until}


async def count_attempt(fits: bool, id: str, tried: str, headers: Headers, store: Store, service: Service) -> bool:
    """Count a failed attempt and refuse it: 401500, or 401501 for any attempt during a lock.

    `tried` is the password or code: the same one with the same correlation id counts once.
    Returns only for a correct attempt on an account that is not locked: whether there are failures to `clear`. The
    count is committed.
    """
    now = service.clock.now()
    await store.lock(f"guard:{id}")
    stored = guard = await store.login_guards.get(id)
    if guard is not None and guard["until"] <= stamp(now):
        guard = None
    is_locked = guard is not None and guard["locked"]
    if fits:
        if is_locked:
            raise Refusal(Code.LOCKED)
        return stored is not None
    if await _is_new(id, tried, headers, store, service):
        guard = _counted(id, guard, service)
        await store.login_guards.remove_all(AtMost("until", stamp(now)))
        await store.login_guards.put(guard)
        if not is_locked:
            # Attempts during a lock leave no records: without an account, the audit log cannot be filled.
            known = "" if id.startswith(_UNKNOWN) else id
            action = "lock" if guard["locked"] else "failed login"
            store.audit.performed(action, kind="users", record_id=known, outcome="refused")
        await store.commit()
    raise Refusal(Code.LOCKED if is_locked else Code.WRONG_CREDENTIALS)


def _counted(id: str, guard: Document | None, service: Service) -> Document:
    until = stamp(service.clock.now() + timedelta(minutes=service.settings.lock_minutes))
    failures = (guard["failures"] if guard else 0) + 1
    if guard and guard["locked"]:
        # A restart never shortens a longer lock.
        return locked(id, max(until, guard["until"]))
    if failures >= service.settings.lock_failures:
        return locked(id, until)
    return {"id": id, "failures": failures, "locked": False, "until": until}


async def _is_new(id: str, tried: str, headers: Headers, store: Store, service: Service) -> bool:
    # Only an identical attempt counts once: another password with the same correlation id is a new one.
    if not headers.correlation:
        return True
    parts = (id, headers.correlation, tried, headers.authorization, headers.app_auth)
    attempt = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    now = service.clock.now()
    return await store.tickets.add("attempt", attempt, now=now, expires=now + _SAME_ATTEMPT, document={})


async def check_unlocked(id: str, store: Store, service: Service) -> None:
    """Refuse (401501) a login without a password, for example by single sign-on, while the account is locked."""
    guard = await store.login_guards.get(id)
    if guard is not None and guard["locked"] and guard["until"] > stamp(service.clock.now()):
        raise Refusal(Code.LOCKED)


async def clear(id: str, store: Store) -> None:
    """Reset failures and lock, after a login or a new password."""
    await store.login_guards.remove(id)
