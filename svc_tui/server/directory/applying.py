"""Rows applied to a directory: delete, upsert and sync, in batches with few statements."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from svc_tui.interface.directory.csv.columns import ACTION, LDAP_ID
from svc_tui.interface.directory.records import NAME_REQUIRED
from svc_tui.interface.directory.reports import EntryError, ImportedEntry
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.clock import Ids
from svc_tui.server.directory.csv_rows import CheckedRow
from svc_tui.server.directory.directories import type_of
from svc_tui.server.directory.stored import StoredDirectory, StoredEntry
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: The fields of an entry that the result of its row shows.
_IN_RESULT = ("id", LDAP_ID, "firstName", "lastName", "companyName")


async def apply_batch(
    store: Store,
    directory: StoredDirectory,
    batch: Sequence[CheckedRow],
    *,
    ids: Ids,
    now: datetime,
    room: int,
    matching: bool,
) -> list[ImportedEntry]:
    """Apply rows; the result of each row.

    With `matching`, for rows that name their action, a row changes the entry with its ldap_id, if there is one;
    otherwise each row creates an entry.
    `room` is how many more entries the directory can hold.
    """
    present = await _present(store, directory.id, batch) if matching else {}
    stored = {entry.id for entry in present.values()}
    changed: dict[str, StoredEntry | None] = {}
    results = []
    for checked in batch:
        key = str(checked.entry.get(LDAP_ID) or "")
        before = present.get(key)
        if before is None and checked.action == "delete" and not checked.faults:
            results.append(_failed(LDAP_ID, "no entry has this identifier", key))
            continue
        result, after = _applied(checked, before, directory, ids, now, room)
        results.append(result)
        entry = after or before
        if result.status == "failed" or entry is None:
            continue
        room -= result.status == "created"
        changed[entry.id] = after
        if after is None:
            present.pop(key, None)
        elif matching and key:
            present[key] = after
    await store.directory_entries.remove_all(In("id", tuple(stored & set(changed))))
    await store.directory_entries.add_all([document_of(entry) for entry in changed.values() if entry is not None])
    return results


async def _present(store: Store, directory_id: str, batch: Sequence[CheckedRow]) -> dict[str, StoredEntry]:
    """The entries of the directory that these rows name, by ldap_id."""
    asked = tuple({str(checked.entry[LDAP_ID]) for checked in batch if checked.entry.get(LDAP_ID)})
    found = await store.directory_entries.find(Is("directory", directory_id), In(LDAP_ID, asked))
    return {entry.ldap_id or "": entry for entry in all_typed(StoredEntry, found.documents)}


def _applied(
    checked: CheckedRow, before: StoredEntry | None, directory: StoredDirectory, ids: Ids, now: datetime, room: int
) -> tuple[ImportedEntry, StoredEntry | None]:
    """The result of a row, and the entry that it leaves."""
    if checked.faults:
        code = Code.BAD_ACTION if checked.faults[0].column == ACTION else Code.VALIDATION
        errors = [typed(EntryError, fault.wire()) for fault in checked.faults]
        result = typed(ImportedEntry, {"status": "failed", "errorDetailsCode": int(code)})
        result.error_details = errors[0] if len(errors) == 1 else errors
        return result, None
    if checked.action == "delete":
        return _result("deleted", {LDAP_ID: checked.entry.get(LDAP_ID)}), None
    values = checked.entry
    if checked.action == "upsert":
        values = {wire: value for wire, value in values.items() if value not in (None, [])}
    merged = {**document_of(before), **values}
    entry = typed(StoredEntry, {wire: value for wire, value in merged.items() if value not in (None, [])})
    type = type_of(entry)
    if type is None:
        return _failed("lastName", NAME_REQUIRED), None
    if before is None and room <= 0:
        return _failed("", "the directory is full"), None
    entry.id = before.id if before else ids.record()
    entry.directory = directory.id
    if directory.company_id:
        entry.company_id = directory.company_id
    if directory.user_id:
        entry.user_id = directory.user_id
    entry.type = type
    entry.creation_date = before.creation_date if before else now
    entry.last_update_date = now
    fields = document_of(entry)
    data = {wire: fields[wire] for wire in _IN_RESULT if fields.get(wire)}
    return _result("updated" if before else "created", data), entry


def _result(status: str, data: Document) -> ImportedEntry:
    return typed(ImportedEntry, {"status": status, "data": data})


def _failed(param: str, msg: str, value: str | None = None) -> ImportedEntry:
    details = {"param": param, "msg": msg, "value": value}
    return typed(ImportedEntry, {"status": "failed", "errorDetailsCode": int(Code.VALIDATION), "errorDetails": details})
