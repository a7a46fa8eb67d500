"""Directories of companies and users: the live one, which is in use, and those that are being filled or removed."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.directory.records import EntryFields
from svc_tui.interface.directory.values import EntryType
from svc_tui.interface.typed_access import typed
from svc_tui.server.directory.stored import StoredDirectory
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store

#: The owner of a directory: `companyId` or `userId`, and the id.
Owner = tuple[str, str]


async def live_directory(store: Store, owner: Owner) -> StoredDirectory | None:
    """The directory of an owner that is in use."""
    return typed(StoredDirectory, await store.directories.one(Is(*owner), Is("live", True)))


def new_directory(id: str, owner: Owner, now: datetime, *, live: bool) -> StoredDirectory:
    """A directory without entries."""
    directory = typed(StoredDirectory, {"id": id, owner[0]: owner[1]})
    directory.live, directory.creation_date = live, now
    return directory


def type_of(entry: EntryFields) -> EntryType | None:
    """The type of an entry: a contact has a first or last name, a company only its own; None without any name."""
    if entry.first_name or entry.last_name:
        return "user"
    return "company" if entry.company_name else None
