"""What rows do to a directory: delete, upsert and sync, some hundred rows with a handful of statements."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.directory.csv.columns import LDAP_ID
from svc_tui.interface.errors import Code
from svc_tui.server.clock import Ids
from svc_tui.server.directory.batches import CheckedRow
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

_NAMES = ("firstName", "lastName", "companyName")


async def apply_batch(
    store: Store,
    directory: Document,
    batch: Sequence[CheckedRow],
    *,
    ids: Ids,
    now: str,
    room: int,
    matching: bool,
) -> list[Document]:
    """What became of each row: {status: created, updated, deleted or failed, data or errorDetails}.

    With `matching` a row means the entry with its ldap_id, if there is one; otherwise each one makes an entry.
    `room` is how many entries there may be more.
    """
    there = await _there(store, directory["id"], batch) if matching else {}
    stored = {entry["id"] for entry in there.values()}
    touched: dict[str, Document | None] = {}
    outcomes = []
    for checked in batch:
        key = str(checked.entry.get(LDAP_ID) or "")
        before = there.get(key) if matching else None
        if matching and before is None and checked.action == "delete" and not checked.faults:
            outcomes.append(_refused(LDAP_ID, "there is no such entry"))
            continue
        outcome, after = _outcome(checked, before, directory, ids, now, room)
        outcomes.append(outcome)
        if outcome["status"] == "failed" or (after is None and before is None):
            continue
        room -= outcome["status"] == "created"
        touched[str((after or before or {})["id"])] = after
        if after is None:
            there.pop(key, None)
        elif matching:
            there[key] = after
    await store.directory_entries.remove_all(In("id", tuple(stored & set(touched))))
    await store.directory_entries.add_all([entry for entry in touched.values() if entry is not None])
    return outcomes


async def _there(store: Store, directory_id: str, batch: Sequence[CheckedRow]) -> dict[str, Document]:
    asked = tuple({str(checked.entry[LDAP_ID]) for checked in batch if checked.entry.get(LDAP_ID)})
    found = await store.directory_entries.find(Is("directory", directory_id), In(LDAP_ID, asked))
    return {str(entry[LDAP_ID]): entry for entry in found.documents}


def _outcome(
    checked: CheckedRow, before: Document | None, directory: Document, ids: Ids, now: str, room: int
) -> tuple[Document, Document | None]:
    """What is told of a row, and the entry behind it."""
    if checked.faults:
        code = Code.BAD_ACTION if checked.faults[0].column == "__action__" else Code.VALIDATION
        errors = [fault.wire() for fault in checked.faults]
        return {
            "status": "failed",
            "errorDetailsCode": int(code),
            "errorDetails": errors[0] if len(errors) == 1 else errors,
        }, None
    if checked.action == "delete":
        return {"status": "deleted", "data": {LDAP_ID: checked.entry.get(LDAP_ID)}}, None
    values = checked.entry
    if checked.action == "upsert":
        values = {wire: value for wire, value in values.items() if value not in (None, [])}
    entry = {wire: value for wire, value in {**(before or {}), **values}.items() if value not in (None, [])}
    if not any(entry.get(name) for name in _NAMES):
        return _refused("lastName", "a new entry needs a first or last name, or the name of a company"), None
    if before is None and room <= 0:
        return _refused("", "the directory is full"), None
    owner = {wire: directory[wire] for wire in ("companyId", "userId") if directory.get(wire)}
    entry |= {
        "id": before["id"] if before else ids.record(),
        "directory": directory["id"],
        **owner,
        "type": "user" if entry.get("firstName") or entry.get("lastName") else "company",
        "creationDate": before["creationDate"] if before else now,
        "lastUpdateDate": now,
    }
    data = {wire: entry[wire] for wire in ("id", LDAP_ID, *_NAMES) if entry.get(wire)}
    return {"status": "updated" if before else "created", "data": data}, entry


def _refused(param: str, msg: str) -> Document:
    return {
        "status": "failed",
        "errorDetailsCode": int(Code.VALIDATION),
        "errorDetails": {"param": param, "msg": msg, "value": None},
    }
