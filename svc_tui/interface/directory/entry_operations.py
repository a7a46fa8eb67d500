"""Operations on directory entries (4.9)."""

from __future__ import annotations

from svc_tui.interface.directory.records import DirectoryEntry, EntryCreation, EntryFormatQuery, EntryQuery, EntryUpdate
from svc_tui.interface.directory.values import READ_ENTRIES, WRITE_COMPANY, WRITE_ENTRIES
from svc_tui.interface.envelopes import Done, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_ALL = "/api/svc/directory/v1.0/entries"
_ONE = _ALL + "/{entryId}"

list_directory_entries = Operation(
    "list_directory_entries",
    "4.9",
    "GET",
    _ALL,
    "List directory entries",
    Page[DirectoryEntry],
    READ_ENTRIES,
    query=EntryQuery,
    refuses=(*_REFUSALS, Code.MUTUALLY_EXCLUSIVE),
)

create_directory_entry = Operation(
    "create_directory_entry",
    "4.9",
    "POST",
    _ALL,
    "Add an entry to a directory",
    Single[DirectoryEntry],
    WRITE_ENTRIES,
    body=EntryCreation,
    refuses=_REFUSALS,
    creates="directoryentries",
)

get_directory_entry = Operation(
    "get_directory_entry",
    "4.9",
    "GET",
    _ONE,
    "Get a directory entry",
    Single[DirectoryEntry],
    READ_ENTRIES,
    query=EntryFormatQuery,
    refuses=_REFUSALS,
)

update_directory_entry = Operation(
    "update_directory_entry",
    "4.9",
    "PUT",
    _ONE,
    "Update a directory entry",
    Single[DirectoryEntry],
    WRITE_ENTRIES,
    body=EntryUpdate,
    refuses=(*_REFUSALS, Code.NOTHING_TO_UPDATE),
    updates="directoryentries",
)

delete_directory_entry = Operation(
    "delete_directory_entry",
    "4.9",
    "DELETE",
    _ONE,
    "Delete a directory entry",
    Done,
    WRITE_ENTRIES,
    refuses=_REFUSALS,
    deletes="directoryentries",
)

delete_company_directory = Operation(
    "delete_company_directory",
    "4.9",
    "DELETE",
    "/api/svc/directory/v1.0/companies/{companyId}",
    "Delete all entries of the directory of a company",
    Done,
    WRITE_COMPANY,
    refuses=_REFUSALS,
)

__all__ = [
    "create_directory_entry",
    "delete_company_directory",
    "delete_directory_entry",
    "get_directory_entry",
    "list_directory_entries",
    "update_directory_entry",
]
