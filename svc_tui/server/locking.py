"""Users who are changed beside the record that a request is about: all locked, then each read afresh."""

from __future__ import annotations

from collections.abc import AsyncIterator

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.store.transaction import lock_key


async def users_locked(store: Store, where: Condition) -> AsyncIterator[Document]:
    """The users that meet a condition, by their ids. Whoever is logging in or getting a licence is waited for."""
    ids = [str(found["id"]) for found in (await store.users.find(where)).documents]
    # Always in the order of the locks: two that need some of the same ones never wait for each other.
    for id in sorted(ids, key=lambda id: lock_key(f"user:{id}")):
        await store.lock(f"user:{id}")
    for id in ids:
        user = await store.users.get(id)
        if user is not None:
            yield user
