"""CloudPBXs: lists, reading, creation and update (4.7)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice.cloudpbx import CloudPbx, CloudPbxCreation, CloudPbxQuery, CloudPbxUpdate
from svc_tui.interface.voice.kinds import DEFAULT_DELAY
from svc_tui.server.companies.seen import existing
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, Is, Related
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.numbering import check_plan, check_settings
from svc_tui.server.voice.seen import cloudpbxs_within, locked_pbx, pbx_subject, reached_pbx
from svc_tui.server.voice.shown import shown, shown_all
from svc_tui.server.voice.trunk_links import check_link, check_prefix
from svc_tui.server.voice.values import changes, given, merged

#: What a new CloudPBX has; null in an update brings it back.
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
#: Fields of an update that lie beside the settings.
_BESIDE = ("name",)


@rule(declared.list_cloudpbxs)
async def list_cloudpbxs(call: Call[CloudPbxQuery]) -> RuleResult:
    assert call.caller is not None
    where: list[Condition] = [cloudpbxs_within(call.reached, call.caller)]
    if call.query.company_id:
        where.append(Is("companyId", _identifier("companyId", call.query.company_id)))
    if call.query.bp_id:
        where.append(Related("companyId", "companies", Is("bpId", _identifier("bpId", call.query.bp_id))))
    page = await page_of(call.store.cloudpbxs, CloudPbx, call.query, *where)
    return {**page, "data": await shown_all(call.store, page["data"])}


@rule(declared.get_cloudpbx)
async def get_cloudpbx(call: Call) -> RuleResult:
    return {"data": await shown(call.store, await reached_pbx(call))}


@rule(declared.create_cloudpbx)
async def create_cloudpbx(call: Call[Nothing, CloudPbxCreation]) -> RuleResult:
    company_id = str(_identifier("companyId", call.body.company_id))
    # Two CloudPBXs of one company at once: the second one waits here, and then finds the first.
    await call.store.lock(f"cloudpbx of {company_id}")
    company = await existing(call.store, company_id)
    call.require(pbx_subject({}, company, call.caller))
    if company.get("status") == "terminated":
        raise invalid(Problem("companyId", "is a terminated company", company_id))
    if await call.store.cloudpbxs.count(Is("companyId", company_id)):
        raise Refusal(Code.HAS_CLOUDPBX)
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    await _check_place(call, values, company)
    pbx = _new(call, values, company)
    check_settings({}, pbx["cloudpbx"])
    await check_link(call, {**pbx, "cloudpbx": {}}, pbx["cloudpbx"])
    await call.store.cloudpbxs.add(pbx)
    return {"data": await shown(call.store, pbx)}


@rule(declared.update_cloudpbx)
async def update_cloudpbx(call: Call[Nothing, CloudPbxUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = changes(call.body, *_BESIDE)
    old: Document = pbx["cloudpbx"]
    settings = merged(old, {wire: value for wire, value in values.items() if wire not in _BESIDE})
    settings = {**{wire: value for wire, value in DEFAULTS.items() if values.get(wire, "") is None}, **settings}
    await check_link(call, pbx, settings)
    check_prefix(old, settings, await call.store.external_trunks.get(str(old.get("externalTrunkId") or "")))
    check_settings(old, settings)
    await check_plan(call.store, pbx, settings)
    changed = {**pbx, **{wire: values[wire] for wire in _BESIDE if wire in values}, "cloudpbx": settings}
    await call.store.cloudpbxs.put(changed)
    return {"data": await shown(call.store, changed)}


async def _check_place(call: Call[Nothing, CloudPbxCreation], values: Document, company: Document) -> None:
    """Refuse (400000) a site of another company, and a BP that is not the company's."""
    if site_id := values.get("siteId"):
        site = await call.store.sites.get(site_id)
        if site is None or site.get("companyId") != company["id"]:
            raise invalid(Problem("siteId", "is no site of this company", site_id))
    if values.get("bpId") and values["bpId"] != company.get("bpId"):
        raise invalid(Problem("bpId", "is not the BP of this company", values["bpId"]))


def _new(call: Call[Nothing, CloudPbxCreation], values: Document, company: Document) -> Document:
    ids = call.service.ids
    id, domain = ids.record(), "voice.svc"
    name = values.get("name") or f"{company['name']} CloudPBX"[:255]
    delay = values.get("noReplyDelay", DEFAULT_DELAY)
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
        **{wire: value for wire, value in values.items() if wire not in ("companyId", "siteId", "bpId", "name")},
    }
    settings.pop("noReplyDelay", None)
    return {
        "id": id,
        "type": "cloud_pbx",
        "name": name,
        "latin_name": name,
        "status": "created",
        "companyId": company["id"],
        "siteId": [values["siteId"]] if values.get("siteId") else [],
        **({"bpId": company["bpId"]} if company.get("bpId") else {}),
        "country": company.get("country"),
        "pbxId": f"PBX{ids.secret(28)}",
        "creationDate": call.stamp,
        "statusUpdatedDate": call.stamp,
        "jid_pbxagent": f"agent_{ids.secret()}@{domain}",
        "jid_pbxagent_password": ids.secret(),
        "jid_pbxpcg": f"pcg_{ids.secret()}@{domain}",
        "jid_pbxpcg_password": ids.secret(),
        "cloudpbx": settings,
    }


def _identifier(param: str, value: str) -> str:
    if not RECORD_ID.fullmatch(value):
        raise invalid(Problem(param, "is no identifier", value))
    return value
