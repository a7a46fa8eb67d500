"""Rows applied to a directory: delete, upsert and sync, in batches with few statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic_core import from_json

from svc_tui.interface.directory.csv.columns import ACTION, LDAP_ID
from svc_tui.interface.directory.reports import EntryError, ImportedEntry
from svc_tui.interface.directory.values import NAME_REQUIRED, keeps_state
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.clock import Ids
from svc_tui.server.directory.csv_rows import FULL, CheckedRow
from svc_tui.server.directory.stored import StoredDirectory, StoredEntry, type_of
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: The fields of an entry that the result of its row shows.
_IN_RESULT = ("id", LDAP_ID, "firstName", "lastName", "companyName")


@dataclass(slots=True)
class AppliedRows:
    """The effect of rows on a directory: the result of each, the removed entries, and the new and changed ones."""

    results: list[ImportedEntry]
    removed: tuple[str, ...]
    put: list[Document]


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
    """Apply rows; the result of each row. With `matching`, for rows that name their action, a row changes the entry
    with its ldap_id, if there is one; otherwise each row creates an entry."""
    texts = await entries_named(store, directory.id, keys_of(batch)) if matching else None
    present = None if texts is None else [from_json(text) for text in texts]
    outcome = outcome_of(directory, batch, present, ids=ids, now=now, room=room)
    if outcome.removed:
        await store.directory_entries.remove_all(In("id", outcome.removed))
    await store.directory_entries.put_all(outcome.put)
    return outcome.results


def keys_of(batch: Sequence[CheckedRow]) -> set[str]:
    """The identifiers of entries that rows name."""
    return {str(checked.entry[LDAP_ID]) for checked in batch if checked.entry.get(LDAP_ID)}


async def entries_named(store: Store, directory_id: str, keys: set[str]) -> list[str]:
    """The entries of a directory with these identifiers, as JSON, in the order of their ids."""
    return await store.directory_entries.texts(Is("directory", directory_id), In(LDAP_ID, tuple(keys)))


def outcome_of(
    directory: StoredDirectory,
    batch: Sequence[CheckedRow],
    named: Sequence[Document] | None,
    *,
    ids: Ids,
    now: datetime,
    room: int,
) -> AppliedRows:
    """What rows do to a directory with the entries `named` that they name; None: each row creates an entry.

    `room` is how many more entries the directory can hold.
    """
    matching = named is not None
    present = {entry.ldap_id or "": entry for entry in all_typed(StoredEntry, named or ())}
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
        if result.status == "failed" or entry is None or after is before:
            continue
        room -= result.status == "created"
        changed[entry.id] = after
        if after is None:
            present.pop(key, None)
        elif matching and key:
            present[key] = after
    put = [document_of(entry) for entry in changed.values() if entry is not None]
    return AppliedRows(results, tuple(id for id, entry in changed.items() if entry is None and id in stored), put)


def _applied(
    checked: CheckedRow, before: StoredEntry | None, directory: StoredDirectory, ids: Ids, now: datetime, room: int
) -> tuple[ImportedEntry, StoredEntry | None]:
    """The result of a row, and the entry that it leaves: the one before if the row changes nothing."""
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
    if not values.get("state") and not keeps_state(merged.get("country")):
        # The state goes with the country that it is in.
        merged["state"] = None
    entry = typed(StoredEntry, {wire: value for wire, value in merged.items() if value not in (None, [])})
    type = type_of(entry)
    if type is None:
        return _failed("lastName", NAME_REQUIRED), None
    if before is None and room <= 0:
        return _failed("", FULL), None
    entry.id = before.id if before else ids.record()
    entry.directory = directory.id
    if directory.company_id:
        entry.company_id = directory.company_id
    if directory.user_id:
        entry.user_id = directory.user_id
    entry.type = type
    entry.creation_date = before.creation_date if before else now
    entry.last_update_date = before.last_update_date if before else now
    fields = document_of(entry)
    if before is not None and fields == document_of(before):
        # The same entry, which is not written again.
        entry = before
    else:
        entry.last_update_date = now
    data = {wire: fields[wire] for wire in _IN_RESULT if fields.get(wire)}
    return _result("updated" if before else "created", data), entry


def _result(status: str, data: Document) -> ImportedEntry:
    return typed(ImportedEntry, {"status": status, "data": data})


def _failed(param: str, msg: str, value: str | None = None) -> ImportedEntry:
    details = {"param": param, "msg": msg, "value": value}
    return typed(ImportedEntry, {"status": "failed", "errorDetailsCode": int(Code.VALIDATION), "errorDetails": details})
