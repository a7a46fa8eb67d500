"""DDI numbers: lists, creation, deletion, the default one, and who has which (4.7)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Role
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import ddis as declared
from svc_tui.interface.voice.ddis import DdiBody, DdiNumber, DdiQuery
from svc_tui.interface.voice.numbers import e164
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, Is, Not
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.extensions import ddis_of_user, renumber, subscriber_of_user
from svc_tui.server.voice.seen import belonging, company_of, locked_pbx, reached_pbx

#: Who can have a number: the field that names him.
HOLDERS = {"user": "userId", "group": "groupId", "ivr": "ivrId", "auto_attendant": "voiceAutoAttendantId"}
_OF_HOLDER = (
    *HOLDERS.values(),
    "firstName",
    "lastName",
    "names",
    "deviceName",
    "isAssignedAsSecondaryCloudPbxDDI",
    "secondaryDdiOrder",
)


@rule(declared.list_ddi_numbers)
async def list_ddi_numbers(call: Call[DdiQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return await page_of(call.store.ddis, DdiNumber, call.query, Is("systemId", pbx["id"]), *_filters(call.query))


@rule(declared.get_ddi_number)
async def get_ddi_number(call: Call) -> RuleResult:
    return {"data": _shown(await _ddi(call, await reached_pbx(call)))}


@rule(declared.create_ddi_number)
async def create_ddi_number(call: Call[Nothing, DdiBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    await _check_writable(call)
    country = pbx.get("country") or (await company_of(call, pbx)).get("country")
    number = kept_number("number", call.body.number, country)
    await call.store.lock("ddi numbers")
    if found := await call.store.ddis.one(Is("numberE164", number)):
        raise Refusal(Code.DDI_EXISTS if found["systemId"] == pbx["id"] else Code.DDI_ELSEWHERE)
    trunk = pbx["cloudpbx"].get("externalTrunkId")
    ddi = {
        "id": call.service.ids.record(),
        "number": number,
        "numberE164": number,
        "country": country,
        "systemId": pbx["id"],
        **({"externalTrunkId": trunk} if trunk else {}),
        "type": "ddi",
        "isFromSystem": True,
        "isMonitored": False,
        "isCloudPbxDDI": True,
        "isCloudPbxDefault": False,
        "creationDate": call.stamp,
    }
    return {"data": _shown(await call.store.ddis.add(ddi))}


@rule(declared.delete_ddi_number)
async def delete_ddi_number(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    await _check_writable(call)
    ddi = await _ddi(call, pbx)
    if ddi.get("isCloudPbxDefault") and await call.store.ddis.count(Is("systemId", pbx["id"])) > 1:
        raise Refusal(Code.DEFAULT_DDI)
    if holder := next((who for who, wire in HOLDERS.items() if who != "user" and ddi.get(wire)), ""):
        raise Refusal(Code.ALREADY_EXISTS, f"this number belongs to {_HOLDERS_IN_WORDS[holder]}: take it away first")
    await call.store.ddis.remove(ddi["id"])
    if ddi.get("isCloudPbxDefault"):
        await _set_installation_number(call, pbx, None)
    await _retell(call, pbx, ddi.get("userId"))
    return {"status": f"DDI number {ddi['id']} successfully deleted"}


@rule(declared.toggle_default_ddi)
async def toggle_default_ddi(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    site = await call.store.sites.get(call.path["siteId"])
    if site is None or site.get("companyId") != pbx["companyId"]:
        raise not_found("Site", call.path["siteId"])
    return await _toggle(call, pbx)


@rule(declared.set_default_ddi)
async def set_default_ddi(call: Call) -> RuleResult:
    return await _toggle(call, await locked_pbx(call))


@rule(declared.assign_ddi_to_user)
async def assign_ddi_to_user(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    ddi = await _ddi(call, pbx)
    subscriber = await subscriber_of_user(call.store, pbx["id"], call.path["userId"])
    if subscriber is None:
        raise invalid(Problem("userId", "has no extension at this CloudPBX", call.path["userId"]))
    if holder := next((who for who, wire in HOLDERS.items() if ddi.get(wire)), ""):
        raise Refusal(Code.ALREADY_EXISTS, f"this number belongs to {_HOLDERS_IN_WORDS[holder]} already")
    order = len(await ddis_of_user(call.store, pbx["id"], subscriber["userId"]))
    await call.store.ddis.put(
        {
            **ddi,
            **{wire: subscriber.get(wire) for wire in ("userId", "firstName", "lastName", "names", "deviceName")},
            "isAssignedAsSecondaryCloudPbxDDI": order > 0,
            "secondaryDdiOrder": order,
        }
    )
    await renumber(call.store, subscriber)
    return {"data": _shown(await _ddi(call, pbx))}


@rule(declared.unassign_ddi_from_user)
async def unassign_ddi_from_user(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    ddi = await _ddi(call, pbx)
    if ddi.get("userId") != call.path["userId"]:
        raise not_found("User with this DDI number", call.path["userId"])
    await call.store.ddis.put(freed(ddi))
    await _retell(call, pbx, ddi["userId"])
    return {"status": f"DDI number {ddi['id']} is free"}


def kept_number(param: str, text: str, country: Any) -> str:
    """A telephone number in E.164. Refusal 400210, with what is wrong, for what is none."""
    try:
        return e164(text, country)
    except ValueError as error:
        raise Refusal(Code.INVALID_NUMBER, [Problem(param, str(error), text).wire()]) from error


def freed(ddi: Document) -> Document:
    """The number as nobody has it."""
    return {wire: value for wire, value in ddi.items() if wire not in _OF_HOLDER}


_HOLDERS_IN_WORDS = {
    "user": "a user",
    "group": "a group",
    "ivr": "a welcome service",
    "auto_attendant": "an automatic attendant",
}


def _filters(query: DdiQuery) -> list[Condition]:
    held: Condition = AnyOf(tuple(Not(Is(wire, None)) for wire in HOLDERS.values()))
    asked = {
        "user": query.is_assigned_to_user,
        "group": query.is_assigned_to_group,
        "ivr": query.is_assigned_to_ivr,
        "auto_attendant": query.is_assigned_to_auto_attendant,
    }
    where: list[Condition] = []
    if query.is_assigned is not None:
        where.append(held if query.is_assigned else AllOf(tuple(Is(wire, None) for wire in HOLDERS.values())))
    for who, wanted in asked.items():
        if wanted is not None:
            where.append(Not(Is(HOLDERS[who], None)) if wanted else Is(HOLDERS[who], None))
    return where


def _shown(ddi: Document) -> Document:
    return DdiNumber.shown(ddi, "full")


async def _ddi(call: Call[Any, Any], pbx: Document) -> Document:
    return await belonging(call.store.ddis, pbx, call.path["phoneNumberId"], "DDI number")


async def _check_writable(call: Call[Any, Any]) -> None:
    """Refuse (403000) administrators of a reseller that may not change DDI numbers."""
    assert call.caller is not None
    own = await call.store.companies.get(call.caller.company_id) or {}
    if Role.SUPERADMIN not in call.caller.roles and own.get("bpType") == "IR" and own.get("ddiReadOnly"):
        raise Refusal(Code.ROLE_MISSING, "DDI numbers are read only for your company (ddiReadOnly)")


async def _toggle(call: Call[Any, Any], pbx: Document) -> RuleResult:
    """The number becomes the company's, which no other one is then; or it is that no more."""
    ddi = await _ddi(call, pbx)
    wanted = not ddi.get("isCloudPbxDefault")
    others = Is("systemId", pbx["id"]), Is("isCloudPbxDefault", True)
    for other in (await call.store.ddis.find(*others)).documents:
        await call.store.ddis.put({**other, "isCloudPbxDefault": False})
    changed = await call.store.ddis.put({**ddi, "isCloudPbxDefault": wanted})
    await _set_installation_number(call, pbx, changed if wanted else None)
    return {"data": _shown(changed)}


async def _set_installation_number(call: Call[Any, Any], pbx: Document, ddi: Document | None) -> None:
    named = ("installationNumber", "installationNumberId")
    settings = {wire: value for wire, value in pbx["cloudpbx"].items() if wire not in named}
    if ddi is not None:
        settings.update(installationNumber=ddi["numberE164"], installationNumberId=ddi["id"])
    await call.store.cloudpbxs.put({**pbx, "cloudpbx": settings})


async def _retell(call: Call[Any, Any], pbx: Document, user_id: str | None) -> None:
    subscriber = await subscriber_of_user(call.store, pbx["id"], user_id) if user_id else None
    if subscriber is not None:
        await renumber(call.store, subscriber)
