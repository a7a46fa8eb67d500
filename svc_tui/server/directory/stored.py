"""Records of the directory in the store: fields that every record has, fields of the server alone, and directories of
companies and users: the live one, which is in use, and those that are being filled or removed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from svc_tui.interface.directory.records import DirectoryEntry, EntryFields
from svc_tui.interface.directory.reports import CommandStatus, ImportedEntry, ImportStatus
from svc_tui.interface.directory.values import EntryType, ImportState
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import typed
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store


class StoredDirectory(Record):
    """A directory of a company or a user. Only the live one is in use; others are being filled or removed."""

    id: str = field(...)
    company_id: str | None = field(None)
    user_id: str | None = field(None)
    live: bool = field(False)
    creation_date: datetime = field(...)
    #: It has no more entries than this. Creations raise it, deletions do not lower it; None: not counted yet.
    most_entries: int | None = field(None)


class StoredEntry(DirectoryEntry):
    id: str = field(...)
    directory: str = field(...)
    creation_date: datetime = field(...)


#: States of an import that has not ended.
RUNNING = (ImportState.INITIALIZING, ImportState.CREATING)


class ImportSource(Record):
    """The data for restarting an import: its stored file, and how it is read."""

    file: str = field(...)
    delimiter: str | None = field(None)
    comment: str = field("")
    country: str = field("")
    #: Rows change the live directory; otherwise a new directory replaces it.
    synchronizing: bool = field(False)


def reading_of(source: ImportSource) -> dict[str, Any]:
    """How a file is read, for `csv_rows`."""
    return {
        "delimiter": source.delimiter,
        "comment": source.comment,
        "country": source.country,
        "synchronizing": source.synchronizing,
    }


class StoredReport(ImportStatus):
    """The report on an import, or on a command: its check, its import, or a report that the command wrote itself."""

    id: str = field(...)
    state: ImportState = field(...)
    #: The command that it reports on, `import:ID` or `check:ID`. The company of the record has chosen the ID.
    command: str | None = field(None)
    #: The process that imports, and the directory that it fills. A running import without a process waits for one.
    process: str | None = field(None)
    directory: str | None = field(None)
    source: ImportSource | None = field(None)
    #: Processes that ended during this import without giving it away.
    lost: int = field(0)
    last_update: datetime | None = field(None)
    status: CommandStatus = field("pending")
    report: dict[str, Any] | None = field(None)
    written: dict[str, Any] | None = field(None)
    #: The report that this record is another name of, for the import that began at the same time.
    same_as: str | None = field(None)


class StoredRow(ImportedEntry):
    """The result of one row of an import; row 0 is the reason why the import failed as a whole."""

    id: str = field(...)
    report: str = field(...)
    number: int = field(...)


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
