"""Users that a request changes in addition to its own record: all are locked, then each is read again."""

from __future__ import annotations

from collections.abc import AsyncIterator

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.store.transaction import lock_key


async def users_locked(store: Store, where: Condition) -> AsyncIterator[Document]:
    """The users that meet a condition, locked and read again. Concurrent changes of them are complete then."""
    ids = [str(found["id"]) for found in (await store.users.find(where)).documents]
    # Always in the order of the locks, so that two requests with common users cannot deadlock.
    for id in sorted(ids, key=lambda id: lock_key(f"user:{id}")):
        await store.lock(f"user:{id}")
    for id in ids:
        user = await store.users.get(id)
        if user is not None:
            yield user
