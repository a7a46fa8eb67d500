"""Deletion of users: everything that ends is listed first, and what prevents it, with keys that open it."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.client.errors import problems_of
from svc_tui.console.core.changes import FieldChange
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.failed_checks import FailedCheck, FailedChecks
from svc_tui.console.editing.record_edit import call_on_records
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import items
from svc_tui.interface.telephone_numbers import written
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.subscriptions.licences import profiles_of

#: Keys of the records that prevent a deletion.
_KEYS = "123456789"
#: The areas' kinds that a user can have something of.
_SUBSCRIBERS, _APPLICATIONS = "subscribers", "applications"
#: What is done with the records that prevent a deletion.
_ADVICE = {
    _APPLICATIONS: _("give it another owner, or delete it"),
    "welcomeservices": _("let it call another user"),
}


async def delete_user(context: Context) -> None:
    """Delete a user, or list what prevents it; marked users as a job."""
    record = context.record
    if context.marked or record is None:
        await call_on_records(context)
        return
    found = await _owned_applications(context, str(record.get("id")))
    if not found:
        error = await call_on_records(context)
        problems = problems_of(error) if error is not None else ()
        if not problems:
            return
        found = [_check(context, problem.param, problem.msg, str(problem.value or ""), record) for problem in problems]
    title = _("{name} cannot be deleted yet").format(name=record.get("displayName"))
    checks = [
        FailedCheck(check.sentence, key if check.place else "", check.place)
        for check, key in zip(found, _KEYS.ljust(len(found)), strict=False)
    ]
    place = await context.stage.ask(FailedChecks(title, checks, _("Change these first:")))
    if place:
        await context.stage.open(Place.parse(place), owner=str(record.get("displayName") or ""))


def _check(context: Context, kind: str, sentence: str, record_id: str, user: RecordData) -> FailedCheck:
    resource = context.stage.resources.get(kind)
    if advice := _ADVICE.get(kind):
        sentence = f"{sentence}: {advice}"
    if resource is None or not record_id:
        return FailedCheck(f"{kind} {sentence}".strip())
    system = next((str(each["systemId"]) for each in items(user.get("phoneNumbers")) if each.get("systemId")), "")
    above = ("cloudpbxs", system) if "systemId" in resource.placement.path else ()
    place = Place((*above, kind, record_id)) if all(above) else None
    return FailedCheck(f"{resource.singular} {sentence}", place=str(place or ""))


async def _owned_applications(context: Context, user_id: str) -> list[FailedCheck]:
    """The applications of the user, as far as the caller may read them: the service checks it again."""
    rows = [row for row in await _rows(context, _APPLICATIONS, {"ownerId": user_id}) if row.get("state") != "deleted"]
    return [
        _check(
            context, _APPLICATIONS, _("{name} belongs to this user").format(name=row.get("name")), str(row["id"]), {}
        )
        for row in rows
    ]


async def _rows(context: Context, kind: str, query: Mapping[str, Any]) -> list[RecordData]:
    resource = context.stage.resources.get(kind)
    if resource is None or not context.workspace.decide(resource.list):
        return []
    try:
        body = await context.workspace.read(resource.list, {}, {**query, "limit": 100})
    except ReadError:
        return []
    return list(body.get("data") or ()) if isinstance(body, dict) else []


async def consequences(record: RecordData, context: Context) -> tuple[tuple[FieldChange, ...], str]:
    """Everything that ends with a user, as far as the caller may read it."""
    user_id = str(record.get("id"))
    keys, devices = await gather(_rows(context, "apikeys", {"userId": user_id}), _devices(context, record))
    extension = [each for each in items(record.get("phoneNumbers")) if each.get("systemId")]
    found = [
        (_("Licences"), [str(each.get("offerName") or "?") for each in profiles_of(record)], _("released")),
        (_("Extension"), [str(each["shortNumber"]) for each in extension if each.get("shortNumber")], _("deleted")),
        (_("Numbers"), [written(str(each["numberE164"])) for each in extension if each.get("numberE164")], _("free")),
        (_("Devices"), devices, _("free")),
        (_("API keys"), [str(each.get("description") or each.get("id")) for each in keys], _("deleted")),
        (_("Sessions"), [_("all, with OAuth tokens")], _("ended")),
        (_("Personal directory"), [_("all entries")], _("deleted")),
    ]
    changes = tuple(FieldChange(label, ", ".join(names), end) for label, names, end in found if names)
    taken = _("The login {login} stays taken.").format(login=record.get("loginEmail") or NOTHING)
    return changes, f"{_('Affects {affected}.').format(affected=counted(1, 'user'))} {taken}"


async def _devices(context: Context, record: RecordData) -> list[str]:
    """The names of the devices of the user's extension."""
    own = next((each for each in items(record.get("phoneNumbers")) if each.get("phoneNumberId")), None)
    if own is None or _SUBSCRIBERS not in context.stage.resources:
        return []
    path = {"systemId": str(own.get("systemId")), "phoneNumberId": str(own["phoneNumberId"])}
    try:
        body = await context.workspace.read("list_subscriber_devices", path, {"limit": 100, "offset": 0})
    except ReadError:
        return []
    return [str(each.get("description") or each.get("macAddress") or "?") for each in body.get("data") or ()]


def bulk_consequences(records: Sequence[RecordData]) -> tuple[Sequence[str], str]:
    """What ends with several users."""
    return [str(each.get("loginEmail") or "") for each in records], _(
        "Licences, extensions, devices and numbers become free; API keys, sessions and personal directories end. The "
        "logins stay taken."
    )
