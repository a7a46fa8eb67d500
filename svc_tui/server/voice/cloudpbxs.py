"""CloudPBXs: lists, reading, creation and update (4.7)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice.access import DEFAULT_DELAY
from svc_tui.interface.voice.cloudpbx import (
    CloudPbx,
    CloudPbxCreation,
    CloudPbxQuery,
    CloudPbxSettings,
    CloudPbxUpdate,
)
from svc_tui.server.companies.access import load_company
from svc_tui.server.reach import require_in_use
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import checked_id, merged, non_null_values, update_of
from svc_tui.server.rules import Call, RuleResult, documents_page, rule
from svc_tui.server.store.conditions import Condition, Is, Related
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany
from svc_tui.server.voice.access import DOMAIN, cloudpbxs_within, is_site_of, locked_pbx, pbx_subject, reached_pbx
from svc_tui.server.voice.numbering import check_plan, check_settings, check_update
from svc_tui.server.voice.stored import StoredCloudPbx, all_represented, represented
from svc_tui.server.voice.trunk_links import check_link, check_prefix, pass_on, trunk_of

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
