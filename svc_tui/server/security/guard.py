"""Account locks (5.6): failed attempts are counted, too many lock the account, another one during the lock restarts it.

Unknown logins are treated in the same way, so that a lock does not reveal which accounts exist. The guard of a user is
kept until a login succeeds: administrators see how often it failed.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import Code
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
#: When the guard of a user expires.
_NEVER = "9999-12-31T23:59:59.999Z"


def guard_of(user: Document | None, login: str) -> str:
    """The id of the guard: that of the user, or one made of an unknown login."""
    if user is not None:
        return str(user["id"])
    return _UNKNOWN + hashlib.sha256(login.casefold().encode()).hexdigest()


def new_guard(id: str, ends: str, total: int, *, failures: int = 0, locked: bool = False) -> Document:
    """A guard. `ends`: until then the failures count for a lock, or the account is locked. `total`: all failures since
    the last success."""
    until = ends if id.startswith(_UNKNOWN) else _NEVER
    return {"id": id, "failures": failures, "locked": locked, "ends": ends, "until": until, "total": total}


def state_of(guard: Document | None, now: datetime) -> Document:
    """The fields of a user about failed logins: the end of the lock, and the failures since the last success."""
    current = _current(guard, now)
    return {
        "lockedUntil": _ends(current) if current and current["locked"] else None,
        "failedLogins": _total(guard),
    }


def _total(guard: Document | None) -> int:
    return int(guard.get("total") or guard["failures"]) if guard else 0


def _current(guard: Document | None, now: datetime) -> Document | None:
    """A guard whose time is not over."""
    return guard if guard is not None and _ends(guard) > stamp(now) else None


def _ends(guard: Document) -> str:
    # Guards of earlier versions were removed at their end.
    return str(guard.get("ends") or guard["until"])


async def count_attempt(fits: bool, id: str, tried: str, headers: Headers, store: Store, service: Service) -> bool:
    """Count a failed attempt and refuse it: 401500, or 401501 for any attempt during a lock.

    `tried` is the password or code: the same one with the same correlation id counts once.
    Returns only for a correct attempt on an account that is not locked: whether there are failures to `clear`. The
    count is committed.
    """
    now = service.clock.now()
    await store.lock(f"guard:{id}")
    stored = await store.login_guards.get(id)
    guard = _current(stored, now)
    is_locked = guard is not None and guard["locked"]
    if fits:
        if is_locked:
            raise Refusal(Code.LOCKED)
        return stored is not None
    if await _is_new(id, tried, headers, store, service):
        guard = _counted(id, guard, stored, service)
        await store.login_guards.remove_all(AtMost("until", stamp(now)))
        await store.login_guards.put(guard)
        if not is_locked:
            # Attempts during a lock leave no records: without an account, the audit log cannot be filled.
            known = "" if id.startswith(_UNKNOWN) else id
            action = "lock" if guard["locked"] else "failed login"
            store.audit.performed(action, kind="users", record_id=known, outcome="refused")
        await store.commit()
    raise Refusal(Code.LOCKED if is_locked else Code.WRONG_CREDENTIALS)


def _counted(id: str, guard: Document | None, stored: Document | None, service: Service) -> Document:
    ends = stamp(service.clock.now() + timedelta(minutes=service.settings.lock_minutes))
    failures = (guard["failures"] if guard else 0) + 1
    total = _total(stored) + 1
    if guard and guard["locked"]:
        # A restart never shortens a longer lock.
        return new_guard(id, max(ends, _ends(guard)), total, locked=True)
    if failures >= service.settings.lock_failures:
        return new_guard(id, ends, total, locked=True)
    return new_guard(id, ends, total, failures=failures)


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
    guard = _current(await store.login_guards.get(id), service.clock.now())
    if guard is not None and guard["locked"]:
        raise Refusal(Code.LOCKED)


async def clear(id: str, store: Store) -> None:
    """Reset failures and lock, after a login or a new password."""
    await store.login_guards.remove(id)
