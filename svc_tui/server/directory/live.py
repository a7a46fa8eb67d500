"""The directory of a company or a person that is in use, among those that are being filled or removed."""

from __future__ import annotations

from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Owner of a directory: the field that names him, and his id.
Owner = tuple[str, str]


async def live_directory(store: Store, owner: Owner) -> Document | None:
    """The directory of an owner that is in use."""
    return await store.directories.one(Is(*owner), Is("live", True))


def new_directory(id: str, owner: Owner, stamp: str, *, live: bool) -> Document:
    """A directory without entries."""
    return {"id": id, owner[0]: owner[1], "live": live, "creationDate": stamp}
