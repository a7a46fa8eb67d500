"""DDI numbers: lists, creation, deletion, the default number, and assignment to users (4.7).

The numbers of a subscriber stand in their own records and among the telephone numbers of its user.
"""

from __future__ import annotations

from svc_tui.interface.access import Role
from svc_tui.interface.authentication.users import PhoneNumber
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.telephone_numbers import e164
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.interface.voice import ddis as declared
from svc_tui.interface.voice.ddis import DdiBody, DdiNumber, DdiQuery, SecondaryDdi
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredUser
from svc_tui.server.voice.access import (
    changed_settings,
    country_of,
    domain_of,
    is_site_of,
    locked_pbx,
    reached_pbx,
    record_of_pbx,
)
from svc_tui.server.voice.deletion import refuse_while_used
from svc_tui.server.voice.stored import StoredCloudPbx, StoredDdi, StoredSubscriber


@rule(declared.list_ddi_numbers)
async def list_ddi_numbers(call: Call[DdiQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    return await page_of(call, call.store.ddis, DdiNumber, call.query, Is("systemId", pbx.id), *_filters(call.query))


@rule(declared.get_ddi_number)
async def get_ddi_number(call: Call) -> RuleResult:
    return {"data": _represented(await _ddi(call, await reached_pbx(call)))}


@rule(declared.create_ddi_number)
async def create_ddi_number(call: Call[Nothing, DdiBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    await _check_writable(call)
    country = await country_of(call, pbx)
    number = checked_number("number", call.body.number, country)
    await call.store.lock("ddi numbers")
    if found := typed(StoredDdi, await call.store.ddis.one(Is("numberE164", number))):
        raise Refusal(Code.DDI_EXISTS if found.system_id == pbx.id else Code.DDI_ELSEWHERE)
    trunk = pbx.cloudpbx.external_trunk_id
    ids, domain = call.service.ids, domain_of(pbx)
    ddi = {
        "id": ids.record(),
        "number": number,
        "numberE164": number,
        "country": country,
        "systemId": pbx.id,
        **({"externalTrunkId": trunk} if trunk else {}),
        "type": "ddi",
        "deviceType": "landline",
        "isFromSystem": True,
        "isMonitored": False,
        "isCloudPbxDDI": True,
        "isCloudPbxDefault": False,
        "isAssignedAsSecondaryCloudPbxDDI": False,
        "creationDate": call.stamp,
        "jid_im": f"{ids.secret()}@{domain}",
        "jid_tel": f"tel_{ids.secret()}@{domain}",
        "jid_password": ids.secret(),
    }
    return {"data": _represented(typed(StoredDdi, await call.store.ddis.add(ddi)))}


@rule(declared.delete_ddi_number)
async def delete_ddi_number(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    await _check_writable(call)
    ddi = await _ddi(call, pbx)
    if ddi.is_cloud_pbx_default and await call.store.ddis.count(Is("systemId", pbx.id)) > 1:
        raise Refusal(Code.DEFAULT_DDI)
    await refuse_while_used(call.store, "ddis", document_of(ddi), Code.ALREADY_EXISTS)
    await call.store.ddis.remove(ddi.id)
    if ddi.is_cloud_pbx_default:
        await _set_installation_number(call, pbx, None)
    await _update_numbers_of(call, pbx, ddi.user_id)
    return {"status": f"DDI number {ddi.id} successfully deleted"}


@rule(declared.toggle_default_ddi)
async def toggle_default_ddi(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    if not await is_site_of(call, call.path["siteId"], pbx.company_id):
        raise not_found("Site", call.path["siteId"])
    return await _toggle_default(call, pbx)


@rule(declared.set_default_ddi)
async def set_default_ddi(call: Call) -> RuleResult:
    return await _toggle_default(call, await locked_pbx(call))


@rule(declared.assign_ddi_to_user)
async def assign_ddi_to_user(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    ddi = await _ddi(call, pbx)
    user_id = call.path["userId"]
    subscriber = await subscriber_of_user(call.store, pbx.id, user_id)
    if subscriber is None:
        user = typed(StoredUser, await call.store.users.get(user_id))
        if user is None or user.company_id != pbx.company_id:
            raise not_found("User", user_id)
        raise invalid(Problem("userId", "has no extension at this CloudPBX", user_id))
    if holder := holder_of(ddi):
        raise Refusal(Code.ALREADY_EXISTS, f"This number already belongs to {holder}.")
    order = len(await ddis_of_user(call.store, pbx.id, subscriber.user_id))
    ddi.user_id, ddi.first_name, ddi.last_name = subscriber.user_id, subscriber.first_name, subscriber.last_name
    ddi.names, ddi.device_name = subscriber.names, subscriber.device_name
    ddi.is_assigned_as_secondary_cloud_pbx_ddi, ddi.secondary_ddi_order = order > 0, order
    await call.store.ddis.put(document_of(ddi))
    await update_numbers(call.store, subscriber)
    return {"data": _represented(await _ddi(call, pbx))}


@rule(declared.unassign_ddi_from_user)
async def unassign_ddi_from_user(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    ddi = await _ddi(call, pbx)
    if ddi.user_id != call.path["userId"]:
        raise not_found("User with this DDI number", call.path["userId"])
    await call.store.ddis.put(document_of(released(ddi)))
    await _update_numbers_of(call, pbx, ddi.user_id)
    return {"status": f"DDI number {ddi.id} is free"}


def checked_number(param: str, text: str, country: str | None) -> str:
    """A telephone number in E.164. Refusal 400210, with the reason, for a text that is none."""
    try:
        return e164(text, country)
    except ValueError as error:
        raise Refusal(Code.INVALID_NUMBER, [Problem(param, str(error), text).wire()]) from error


def released(ddi: StoredDdi) -> StoredDdi:
    """The number without a holder."""
    free = copied(ddi)
    del free.user_id, free.group_id, free.ivr_id, free.voice_auto_attendant_id
    del free.first_name, free.last_name, free.names, free.device_name
    free.is_assigned_as_secondary_cloud_pbx_ddi = False
    del free.secondary_ddi_order
    return free


def holder_of(ddi: StoredDdi) -> str:
    """The kind of holder of a number: `a user`, `a group`; empty for a free one."""
    holders = {
        "a user": ddi.user_id,
        "a group": ddi.group_id,
        "a welcome service": ddi.ivr_id,
        "an automatic attendant": ddi.voice_auto_attendant_id,
    }
    return next((kind for kind, id in holders.items() if id), "")


def _filters(query: DdiQuery) -> list[Condition]:
    by_holder = {
        "userId": query.is_assigned_to_user,
        "groupId": query.is_assigned_to_group,
        "ivrId": query.is_assigned_to_ivr,
        "voiceAutoAttendantId": query.is_assigned_to_auto_attendant,
    }
    where: list[Condition] = []
    if query.is_assigned is not None:
        held = AnyOf(tuple(Not(Is(wire, None)) for wire in by_holder))
        where.append(held if query.is_assigned else AllOf(tuple(Is(wire, None) for wire in by_holder)))
    for wire, assigned in by_holder.items():
        if assigned is not None:
            where.append(Not(Is(wire, None)) if assigned else Is(wire, None))
    return where


def _represented(ddi: StoredDdi) -> Document:
    return DdiNumber.answered(document_of(ddi), "full")


async def _ddi(call: AnyCall, pbx: StoredCloudPbx) -> StoredDdi:
    return await record_of_pbx(StoredDdi, call.store.ddis, pbx, call.path["phoneNumberId"], "DDI number")


async def _check_writable(call: AnyCall) -> None:
    """Refuse (403000) administrators of a reseller that may not change DDI numbers."""
    assert call.caller is not None
    if Role.SUPERADMIN in call.caller.roles:
        return
    own = typed(StoredCompany, await call.store.companies.get(call.caller.company_id))
    if own is not None and own.bp_type == "IR" and own.ddi_read_only:
        raise Refusal(Code.ROLE_MISSING, "DDI numbers are read-only for your company.")


async def _toggle_default(call: AnyCall, pbx: StoredCloudPbx) -> RuleResult:
    """Make the number the company's own, instead of any other; or end that."""
    ddi = await _ddi(call, pbx)
    becomes_default = not ddi.is_cloud_pbx_default
    defaults = Is("systemId", pbx.id), Is("isCloudPbxDefault", True)
    for other in all_typed(StoredDdi, (await call.store.ddis.find(*defaults)).documents):
        other.is_cloud_pbx_default = False
        await call.store.ddis.put(document_of(other))
    ddi.is_cloud_pbx_default = becomes_default
    await call.store.ddis.put(document_of(ddi))
    await _set_installation_number(call, pbx, ddi if becomes_default else None)
    return {"data": _represented(ddi)}


async def _set_installation_number(call: AnyCall, pbx: StoredCloudPbx, ddi: StoredDdi | None) -> None:
    settings = copied(pbx.cloudpbx)
    if ddi is None:
        del settings.installation_number, settings.installation_number_id
    else:
        settings.installation_number, settings.installation_number_id = ddi.number_e164, ddi.id
    await changed_settings(call, pbx, document_of(settings))


async def _update_numbers_of(call: AnyCall, pbx: StoredCloudPbx, user_id: str | None) -> None:
    subscriber = await subscriber_of_user(call.store, pbx.id, user_id) if user_id else None
    if subscriber is not None:
        await update_numbers(call.store, subscriber)


# --- the numbers of a subscriber ---------------------------------------------------------------------------------


async def subscriber_of_user(store: Store, system_id: str, user_id: str) -> StoredSubscriber | None:
    """The extension of a user at a CloudPBX."""
    return typed(StoredSubscriber, await store.subscribers.one(Is("systemId", system_id), Is("userId", user_id)))


async def ddis_of_user(store: Store, system_id: str, user_id: str) -> list[StoredDdi]:
    """The DDI numbers of a user, the main one first."""
    found = all_typed(StoredDdi, (await store.ddis.find(Is("systemId", system_id), Is("userId", user_id))).documents)
    return sorted(
        found, key=lambda each: (bool(each.is_assigned_as_secondary_cloud_pbx_ddi), each.secondary_ddi_order or 0)
    )


async def update_numbers(store: Store, subscriber: StoredSubscriber) -> StoredSubscriber:
    """Bring the subscriber, the DDI numbers and the user's telephone numbers in line: the first number is the main one.

    Returns the subscriber with these numbers.
    """
    ddis = await ddis_of_user(store, subscriber.system_id, subscriber.user_id)
    for order, ddi in enumerate(ddis):
        ordered = copied(ddi)
        set_order(ordered, order)
        if ordered != ddi:
            await store.ddis.put(document_of(ordered))
    changed = copied(subscriber)
    del changed.external_number, changed.external_number_id
    if ddis:
        changed.external_number, changed.external_number_id = ddis[0].number_e164, ddis[0].id
    changed.secondary_ddis = [secondary(ddi) for ddi in ddis[1:]]
    ringing = changed.pstn_device_options
    if not ddis and ringing is not None and ringing.policy == "subscriber_ddi":
        # It has no number of its own that could ring too: the company's setting applies again.
        del changed.pstn_device_options
    await store.subscribers.put(document_of(changed))
    await update_user(store, changed)
    return changed


def set_order(ddi: StoredDdi, order: int) -> None:
    """Mark a DDI number as the main one (0), or as a further one in this place."""
    ddi.is_assigned_as_secondary_cloud_pbx_ddi = order > 0
    if order:
        ddi.secondary_ddi_order = order
    else:
        del ddi.secondary_ddi_order


def secondary(ddi: StoredDdi) -> SecondaryDdi:
    """A further number as its holder names it."""
    return typed(SecondaryDdi, {"phoneNumberId": ddi.id, "numberE164": ddi.number_e164})


async def update_user(store: Store, subscriber: StoredSubscriber, *, removed: bool = False) -> None:
    """Write the extension among the telephone numbers of its user, or remove it from them."""
    # At this moment the user may log in or get a licence.
    await store.lock(f"user:{subscriber.user_id}")
    user = typed(StoredUser, await store.users.get(subscriber.user_id))
    if user is None:
        return
    numbers = [each for each in user.phone_numbers or () if each.phone_number_id != subscriber.id]
    user.phone_numbers = numbers if removed else [*numbers, _entry(subscriber)]
    await store.users.put(document_of(user))


def _entry(subscriber: StoredSubscriber) -> PhoneNumber:
    external = subscriber.external_number
    return typed(
        PhoneNumber,
        {
            "phoneNumberId": subscriber.id,
            "shortNumber": subscriber.short_number,
            "pbxId": subscriber.pbx_id,
            "systemId": subscriber.system_id,
            "country": subscriber.country,
            "isMonitored": bool(subscriber.is_monitored),
            "isFromSystem": True,
            "deviceType": "landline",
            "type": "work",
            **({"number": external, "numberE164": external} if external else {}),
        },
    )
