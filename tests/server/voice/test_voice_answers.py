"""Responses of voice against the declaration, with the demo data: every read of every operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from svc_tui.interface.catalogue import operations_of
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import Record
from svc_tui.server.demo.accounts import account
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.conditions import Is, Not
from tests.interface.specification_4_7 import BODIES
from tests.support.world import APP, World, granted

Document = dict[str, Any]

READS = [operation for operation in operations_of("voice").values() if operation.method == "GET"]
SYSTEM = id_of("cloudpbx", "northwind")
#: Path parameter and operation -> the kind of record whose id stands there.
KINDS = {
    "deviceId": "devices",
    "recordId": "recordings",
    "welcomeId": "welcomes",
    "officeHoursId": "office_hours",
    "externalTrunkId": "external_trunks",
}


@pytest.fixture
async def demo(demo_world: World) -> World:
    await demo_world.application(APP)
    return demo_world


async def path_of(world: World, operation: AnyOperation) -> str:
    """The address of a record that the operation reads: one that has as much as possible."""
    values = {"systemId": SYSTEM}
    async with world.service.database.unit() as store:
        device = await store.devices.one(Is("systemId", SYSTEM), Not(Is("phoneNumberId", None)))
        assert device
        for name in operation.parameters:
            if name == "phoneNumberId" and operation.id == "get_ddi_number":
                found = await store.ddis.one(Is("systemId", SYSTEM), Not(Is("userId", None)))
            elif name == "phoneNumberId":
                found = await store.subscribers.get(device["phoneNumberId"])
            elif name == "deviceId":
                found = device
            elif name in KINDS:
                of_it = () if name == "externalTrunkId" else (Is("systemId", SYSTEM),)
                found = await getattr(store, KINDS[name]).one(*of_it)
            else:
                continue
            assert found, name
            values[name] = found["id"]
    scope = f"?systemIds={SYSTEM}" if operation.id == "list_recordings_across_companies" else ""
    return operation.url(**values) + scope


def unknown(record: Record, where: str) -> Iterator[str]:
    """The undeclared fields of a response, at every depth."""
    yield from (f"{where}.{name}" for name in record.model_extra or ())
    for spec in fields_of(type(record)):
        value = getattr(record, spec.name)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Record):
                yield from unknown(each, f"{where}.{spec.wire}")


async def test_every_response_is_as_declared_and_has_no_password(demo: World) -> None:
    for operation in READS:
        roles = operation.who.as_text()
        name = next(role for role in ("superadmin", "company_admin") if role in roles)
        by = await demo.stored("users", account(name).id)
        body = granted(await demo.get(await path_of(demo, operation), by=by))
        answer = operation.result.model_validate(body)
        assert body["data"], operation.id
        items = answer.data if isinstance(answer.data, list) else [answer.data]
        strange = [found for item in items if isinstance(item, Record) for found in unknown(item, "data")]
        assert (strange, "password" in str(body)) == ([], operation.id in WITH_PASSWORDS), operation.id


#: The reads of one record that have the passwords of its messaging addresses, for those who may update it.
WITH_PASSWORDS = ("get_cloudpbx", "get_subscriber", "get_ddi_number")
#: Sections 2.14 to 2.17, without the passwords, which are in no list: by the list of all records of a CloudPBX.
FIELDS = {
    "list_cloudpbxs": """id type siteId companyId name latin_name country pbxId status bpId creationDate
        statusUpdatedDate blockedDate voiceInstanceId jid_pbxagent jid_pbxpcg cloudpbx""",
    "list_subscribers": """id deviceName type deviceType isFromSystem isMonitored userId shortNumber internalNumber
        voiceMailNumber pbxUserId systemId jid_im jid_tel pbxId country creationDate shardKey overflowToVoicemail
        barringOptions bargeOptions cliOptions isRecordingActivated recordingProfile externalNumberId externalNumber
        secondaryDDIs status cloudPbxStatus""",
    "list_ddi_numbers": """firstName lastName deviceName names type deviceType isFromSystem isMonitored userId number
        systemId externalTrunkId country numberE164 isCloudPbxDefault isCloudPbxDDI creationDate jid_im jid_tel id
        isAssignedAsSecondaryCloudPbxDDI secondaryDdiOrder""",
    "list_sip_devices": "id macAddress description companyId systemId phoneNumberId userId currentDevice deviceType",
    "list_recordings": "id fileName mime size date duration otherParty recordedParty direction",
    "list_welcome_services": """id systemId name externalNumber externalNumberId secondaryDDIs phoneNumberId timezone
        welcomeId welcomeName companyCalendarId companyCalendarName voiceAutoAttendantId voiceAutoAttendantName
        isDefaultIvr state manualMode welcomeServicesManualMode openHoursOverflow closedHoursOverflow""",
}
SETTINGS = """outgoingPrefix numberingPrefix numberingPrefixes numberingDigits numberingDigitsLength numberingPlan
    installationNumber installationNumberId domainName voiceNumber externalTrunkId externalTrunkAdditionalInfo language
    customSipHeader_1 customSipHeader_2 overflowSubscribersToVoicemail barringOptions bargeOptions cliOptions
    emergencyOptions callForwardOptions peerAuthenticationOptions allowCloudPbxRecording routeInternalCallsToPeer
    callForkingToPstnNumber optimizedDialing customDialingRules monolineIncomingMode telephonyLinePolicy
    emulatedRingBackTone shortCodePrefix shortCodeDigits serviceCodesDialPlan sipDeviceTransferMode
    aaNbbOfRepetitions"""


async def test_each_record_has_every_field_of_its_section(demo: World) -> None:
    boss = await demo.stored("users", account("company_admin").id)
    for id, fields in FIELDS.items():
        operation = operations_of("voice")[id]
        url = operation.url(**dict.fromkeys(operation.parameters, SYSTEM))
        records = granted(await demo.get(url, by=boss))["data"]
        one = operations_of("voice").get(id.removesuffix("s").replace("list_", "get_"))
        address = (
            url if one is None else one.url(**dict.fromkeys(one.parameters, records[-1]["id"]) | {"systemId": SYSTEM})
        )
        read = granted(await demo.get(address, by=boss))["data"]
        for record in (*records, *(read if isinstance(read, list) else [read])):
            assert set(fields.split()) <= set(record), id
            assert "cloudpbx" not in record or set(SETTINGS.split()) <= set(record["cloudpbx"])
        lists = [name for name in fields.split() if name in ("secondaryDDIs", "siteId", "welcomeServicesManualMode")]
        assert all(isinstance(record[name], list) for record in records for name in lists), id


def _body(operation: AnyOperation) -> Document | None:
    """A body that the operation takes: all that it demands, or something that it can change."""
    if not operation.sends_body:
        return None
    known = BODIES.get(operation.id, {})
    demanded = [wire for wire, value in known.items() if value.required] or list(known)[:1]
    return {wire: known[wire].accepted[0] for wire in demanded}


@pytest.mark.parametrize("missing", ["cloudpbx", "record"])
async def test_missing_records_have_one_code_for_reads_changes_and_deletions(demo: World, missing: str) -> None:
    asked = 0
    for operation in operations_of("voice").values():
        names = [name for name in operation.parameters if name != "systemId"]
        if "systemId" not in operation.parameters or (missing == "record" and not names):
            continue
        asked += 1
        name = "company_admin" if "company_admin" in operation.who.as_text() else "superadmin"
        system = "f0" * 12 if missing == "cloudpbx" else SYSTEM
        url = operation.url(systemId=system, **dict.fromkeys(names, "f0" * 12))
        query = f"?recordIds={'f0' * 12}" if operation.id == "delete_recordings" else ""
        by = await demo.stored("users", account(name).id)
        answer = await demo.send(operation.method, url + query, by=by, json=_body(operation))
        assert (answer.status_code, answer.json()["errorDetailsCode"]) == (404, 404000), operation.id
    assert asked > 30
