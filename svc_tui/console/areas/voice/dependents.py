"""What a deletion does to other records of the CloudPBX, or which of them prevent it: named before it is sent (4.7)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.console.core.changes import FieldChange
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.failed_checks import FailedCheck, FailedChecks
from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import written
from svc_tui.interface.voice.deletion import Reference, preventing, references
from svc_tui.language import _
from svc_tui.workspace.core.service import LARGEST_REQUEST, ReadError

#: Kind of records that can point at others -> the operation that lists them.
_SERVICES = {"welcomeservices": "list_welcome_services"}
#: Kind of record -> what is read for it, where that is not the welcome services.
_READ: Mapping[str, Mapping[str, str]] = {
    "subscribers": {**_SERVICES, "sipdevices": "list_subscriber_devices"},
    # A device itself names its subscriber.
    "sipdevices": {},
}
#: Keys of the records that prevent a deletion.
_KEYS = "123456789"


async def consequences(record: RecordData, context: Context) -> tuple[tuple[FieldChange, ...], str] | None:
    """What becomes free with a record, and how many records are affected.

    None when others call or use it: they are listed then, each with the key that opens it.
    """
    resource = context.require_resource()
    found = references(resource.kind.name, record, await _around(record, context))
    if preventing(found):
        await _show(context, resource.label(record), preventing(found))
        return None
    nouns = context.stage.resources
    changes = tuple(FieldChange(_title(nouns[each.kind].singular), _name(each), each.sentence) for each in found)
    counts = {each.kind: sum(other.kind == each.kind for other in found) for each in found}
    affected = [resource.counted(1), *(nouns[kind].counted(count) for kind, count in counts.items())]
    return changes, _("Affects {affected}.").format(affected=", ".join(affected))


async def _show(context: Context, label: str, found: Sequence[Reference]) -> None:
    """List what prevents the deletion, and open what is chosen."""
    path, nouns = _path(context), context.stage.resources
    checks = []
    for at, each in enumerate(found):
        place = Place(("cloudpbxs", path["systemId"], each.kind, each.id)) if each.kind else None
        noun = nouns[each.kind].singular if each.kind else ""
        key = _KEYS[at] if place and at < len(_KEYS) else ""
        checks.append(FailedCheck(f"{noun} {_name(each)} {each.sentence}".strip(), key, str(place or "")))
    chosen = await context.stage.ask(
        FailedChecks(_("{name} cannot be deleted yet").format(name=label), checks, _("Change these first:"))
    )
    if chosen:
        await context.stage.open(Place.parse(chosen), owner=context.view.owner)


def _title(noun: str) -> str:
    return noun[:1].upper() + noun[1:]


def _name(reference: Reference) -> str:
    return written(reference.name)


def _path(context: Context) -> dict[str, str]:
    resource = context.require_resource()
    record_id = resource.record_id(context.require_record())
    return resource.path_at(context.view.place, context.workspace.caller, record_id)


async def _around(record: RecordData, context: Context) -> dict[str, list[RecordData]]:
    """The records that can point at this one, as far as they can be read: the service checks it again."""
    operations = _READ.get(context.require_resource().kind.name, _SERVICES)
    path = {**_path(context), "phoneNumberId": str(record.get("id"))}
    rows = await asyncio.gather(*(_rows(context, operation, path) for operation in operations.values()))
    return dict(zip(operations, rows, strict=True))


async def _rows(context: Context, operation: str, path: Mapping[str, str]) -> list[RecordData]:
    query: dict[str, Any] = {} if operation == "list_welcome_services" else {"limit": LARGEST_REQUEST, "offset": 0}
    try:
        body = await context.workspace.read(operation, path, query)
    except ReadError:
        return []
    return list(body.get("data") or ()) if isinstance(body, dict) else []
