"""Users who are changed beside the record that a request is about: one after the other, each locked and read afresh."""

from __future__ import annotations

from collections.abc import AsyncIterator

from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


async def users_locked(store: Store, where: Condition) -> AsyncIterator[Document]:
    """The users that meet a condition, by their ids. Whoever is logging in or getting a licence is waited for."""
    for found in (await store.users.find(where)).documents:
        await store.lock(f"user:{found['id']}")
        user = await store.users.get(found["id"])
        if user is not None:
            yield user
