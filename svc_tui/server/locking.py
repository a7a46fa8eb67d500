"""Users that a request changes in addition to its own record: all are locked, then all are read again."""

from __future__ import annotations

from collections.abc import Callable

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Users that are in memory at a time.
_AT_ONCE = 500


async def change_users(store: Store, where: Condition, change: Callable[[Document], Document]) -> int:
    """Change the users that meet a condition. Returns how many there were.

    All are locked before the first is read: concurrent changes of them are complete then.
    """
    ids = await store.users.ids(where)
    await store.lock_all(f"user:{id}" for id in ids)
    for start in range(0, len(ids), _AT_ONCE):
        users = await store.users.of(ids[start : start + _AT_ONCE])
        await store.users.put_all([change(user) for user in users])
    return len(ids)
