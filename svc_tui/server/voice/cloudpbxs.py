"""CloudPBXs: lists, reading, creation and update (4.7); external trunks (2.14) and their links to them."""

from __future__ import annotations

from svc_tui.interface.access import Reach, Role, Subject
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice import trunks
from svc_tui.interface.voice.access import DEFAULT_DELAY, LINK_TRUNK
from svc_tui.interface.voice.cloudpbx import (
    CloudPbx,
    CloudPbxCreation,
    CloudPbxQuery,
    CloudPbxSettings,
    CloudPbxUpdate,
)
from svc_tui.interface.voice.trunks import ExternalTrunkQuery
from svc_tui.server.companies.access import load_company
from svc_tui.server.reach import require_in_use
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id, merged, non_null_values, update_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, documents_page, rule
from svc_tui.server.store.conditions import Condition, ContainsAny, Is, Related
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany
from svc_tui.server.voice.access import (
    DOMAIN,
    cloudpbxs_within,
    denial,
    is_site_of,
    locked_pbx,
    pbx_subject,
    reached_pbx,
)
from svc_tui.server.voice.numbering import check_plan, check_settings, check_update
from svc_tui.server.voice.stored import StoredCloudPbx, StoredDdi, StoredTrunk, all_represented, represented

#: Settings of a new CloudPBX; null in an update restores them.
DEFAULTS: Document = {
    "language": "en",
    "shortCodePrefix": "*",
    "shortCodeDigits": 4,
    "aaNbOfRepetitions": 2,
    "barringOptions": {"permissions": "int_nat_local", "restrictions": "no_restriction"},
    "bargeOptions": {"telephonyBasicAttendantBargeIn": "disabled"},
    "callForwardOptions": {"externalCallForward": "authorized"},
    "emergencyOptions": {"callAuthorizationWithSoftPhone": False, "emergencyGroupActivated": False},
    "callForkingToPstnNumber": "not_activated",
    "telephonyLinePolicy": "multi_lines",
    "monolineIncomingMode": False,
    "routeInternalCallsToPeer": False,
    "sipDeviceTransferMode": "attended_transfer",
}
#: Fields of an update that are not settings.
_NOT_SETTINGS = ("name",)
#: The same of a creation.
_NEW_NOT_SETTINGS = ("companyId", "siteId", "bpId", "name", "noReplyDelay")


@rule(declared.list_cloudpbxs)
async def list_cloudpbxs(call: Call[CloudPbxQuery]) -> RuleResult:
    assert call.caller is not None
    where: list[Condition] = [cloudpbxs_within(call.reached, call.caller)]
    if call.query.company_id:
        where.append(Is("companyId", checked_id("companyId", call.query.company_id)))
    if call.query.bp_id:
        where.append(Related("companyId", "companies", Is("bpId", checked_id("bpId", call.query.bp_id))))
    page = await documents_page(call, call.store.cloudpbxs, CloudPbx, call.query, *where)
    return {**page, "data": await all_represented(call.store, all_typed(StoredCloudPbx, page["data"]))}


@rule(declared.get_cloudpbx)
async def get_cloudpbx(call: Call) -> RuleResult:
    return {"data": await represented(call.store, await reached_pbx(call))}


@rule(declared.create_cloudpbx)
async def create_cloudpbx(call: Call[Nothing, CloudPbxCreation]) -> RuleResult:
    company_id = checked_id("companyId", call.body.company_id)
    # Neither is deleted before the CloudPBX is stored. Of two creations for a company, the second waits for the first.
    if call.body.site_id:
        await call.store.lock(f"site:{call.body.site_id}")
    await call.store.lock(f"company:{company_id}")
    company = await load_company(call.store, company_id)
    call.require(pbx_subject(None, company, call.caller))
    require_in_use(company)
    if await call.store.cloudpbxs.count(Is("companyId", company_id)):
        raise Refusal(Code.HAS_CLOUDPBX)
    await _check_place(call, company)
    pbx = _new(call, company)
    settings = document_of(pbx.cloudpbx)
    check_settings({}, settings)
    await check_link(call, pbx, None, pbx.cloudpbx.external_trunk_id)
    await call.store.cloudpbxs.add(document_of(pbx))
    return {"data": await represented(call.store, pbx)}


@rule(declared.update_cloudpbx)
async def update_cloudpbx(call: Call[Nothing, CloudPbxUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = update_of(call.body, *_NOT_SETTINGS)
    check_update(values)
    old = document_of(pbx.cloudpbx)
    settings = merged(old, {wire: value for wire, value in values.items() if wire not in _NOT_SETTINGS})
    settings = {**{wire: value for wire, value in DEFAULTS.items() if values.get(wire, "") is None}, **settings}
    new = typed(CloudPbxSettings, settings)
    await check_link(call, pbx, pbx.cloudpbx.external_trunk_id, new.external_trunk_id)
    check_prefix(pbx.cloudpbx, new, await trunk_of(call, pbx.cloudpbx.external_trunk_id))
    check_settings(old, settings)
    await check_plan(call.store, pbx, settings)
    named = {wire: values[wire] for wire in _NOT_SETTINGS if wire in values}
    changed = {**document_of(pbx), **named, "cloudpbx": settings}
    await call.store.cloudpbxs.put(changed)
    if new.external_trunk_id != pbx.cloudpbx.external_trunk_id:
        await pass_on(call.store, pbx.id, new.external_trunk_id)
    return {"data": await represented(call.store, typed(StoredCloudPbx, changed))}


async def _check_place(call: Call[Nothing, CloudPbxCreation], company: StoredCompany) -> None:
    """Refuse (400000) a site of another company, and a BP that is not the company's."""
    body = call.body
    if body.site_id and not await is_site_of(call, body.site_id, company.id):
        raise invalid(Problem("siteId", "is not a site of this company", body.site_id))
    if body.bp_id and body.bp_id != company.bp_id:
        raise invalid(Problem("bpId", "is not the BP of this company", body.bp_id))


def _new(call: Call[Nothing, CloudPbxCreation], company: StoredCompany) -> StoredCloudPbx:
    ids, body = call.service.ids, call.body
    id, domain = ids.record(), DOMAIN
    name = body.name or f"{company.name} CloudPBX"[:255]
    delay = DEFAULT_DELAY if body.no_reply_delay is None else body.no_reply_delay
    sent = {wire: value for wire, value in non_null_values(body).items() if wire not in _NEW_NOT_SETTINGS}
    settings = {
        **DEFAULTS,
        "domainName": f"{id}.{domain}",
        "overflowSubscribersToVoicemail": {
            "activate": True,
            "noReplyDelay": delay,
            "activateUnavailableOverflow": True,
        },
        "cliOptions": {
            "policy": "installation_ddi_number",
            "userCanManageItsCli": False,
            "companyNumberCanBeSelectedByUserAsCli": False,
        },
        "peerAuthenticationOptions": {"username": id, "password": ids.secret(12), "realm": f"{id}.{domain}"},
        "allowCloudPbxRecording": False,
        "announcementProfile": "none",
        "optimizedDialing": True,
        "emulatedRingBackTone": False,
        **sent,
    }
    pbx = {
        "id": id,
        "type": "cloud_pbx",
        "name": name,
        "latin_name": name,
        "status": "created",
        "companyId": company.id,
        "siteId": [body.site_id] if body.site_id else [],
        **({"bpId": company.bp_id} if company.bp_id else {}),
        "country": company.country,
        "pbxId": f"PBX{ids.secret(28)}",
        "creationDate": call.stamp,
        "statusUpdatedDate": call.stamp,
        "jid_pbxagent": f"agent_{ids.secret()}@{domain}",
        "jid_pbxagent_password": ids.secret(),
        "jid_pbxpcg": f"pcg_{ids.secret()}@{domain}",
        "jid_pbxpcg_password": ids.secret(),
        "cloudpbx": settings,
    }
    return typed(StoredCloudPbx, pbx)


_TRUNK = "externalTrunkId"


async def check_link(call: AnyCall, pbx: StoredCloudPbx, old: str | None, new: str | None) -> None:
    """Refuse a change of the linked trunk without permission (403000, 403301), or of a locked one (403719)."""
    if old == new:
        return
    if reason := await denial(call, pbx, LINK_TRUNK):
        raise Refusal(Code.ROLE_MISSING, [Problem(_TRUNK, reason, new).wire()])
    linked = await trunk_of(call, old)
    if linked is not None and linked.locked:
        raise Refusal(Code.TRUNK_LOCKED)
    if new is None:
        return
    trunk = await trunk_of(call, new)
    if trunk is None:
        raise invalid(Problem(_TRUNK, "is not an external trunk", new))
    assert call.caller is not None
    if Role.SUPERADMIN not in call.caller.roles and call.caller.company_id not in (trunk.bp_ids or ()):
        raise Refusal(Code.NOT_MANAGED, [Problem(_TRUNK, "is not a trunk of your company", new).wire()])


def check_prefix(old: CloudPbxSettings, new: CloudPbxSettings, trunk: StoredTrunk | None) -> None:
    """Refuse (403722) to remove the outgoing prefix while a trunk stays linked, and to change it for a locked trunk."""
    if old.outgoing_prefix == new.outgoing_prefix or not old.external_trunk_id:
        return
    if trunk is not None and trunk.locked:
        raise Refusal(Code.OUTGOING_PREFIX_LOCKED, "The outgoing prefix is fixed while this trunk is linked.")
    if new.outgoing_prefix is None and new.external_trunk_id:
        raise Refusal(Code.OUTGOING_PREFIX_LOCKED)


async def trunk_of(call: AnyCall, id: str | None) -> StoredTrunk | None:
    """The external trunk with this id."""
    return typed(StoredTrunk, await call.store.external_trunks.get(id)) if id else None


async def pass_on(store: Store, system_id: str, trunk_id: str | None) -> None:
    """Let the DDI numbers of a CloudPBX follow to the trunk that it is linked to now: their calls come in over it."""
    for ddi in all_typed(StoredDdi, (await store.ddis.find(Is("systemId", system_id))).documents):
        if ddi.external_trunk_id != trunk_id:
            ddi.external_trunk_id = trunk_id
            await store.ddis.put(document_of(ddi))


@rule(trunks.list_external_trunks)
async def list_external_trunks(call: Call[ExternalTrunkQuery]) -> RuleResult:
    assert call.caller is not None
    query = call.query
    plain = (("voiceInstanceId", query.voice_instance_id), ("status", query.status), ("trunkType", query.trunk_type))
    where: list[Condition] = [Is(wire, value) for wire, value in plain if value]
    if Reach.ANY not in call.reached:
        where.append(ContainsAny("bpIds", (call.caller.company_id,)))
    return {"data": (await call.store.external_trunks.find(*where, sort=Sort("name"))).documents}


@rule(trunks.get_external_trunk)
async def get_external_trunk(call: Call) -> RuleResult:
    assert call.caller is not None
    trunk = typed(StoredTrunk, await call.store.external_trunks.get(call.path["externalTrunkId"]))
    if trunk is None:
        raise not_found("External trunk", call.path["externalTrunkId"])
    own = call.caller.company_id in (trunk.bp_ids or ())
    call.require(Subject(company_id=call.caller.company_id if own else ""))
    return {"data": document_of(trunk)}
