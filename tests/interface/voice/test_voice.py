"""The declaration of voice against the specification's own text: values, ranges, defaults, lists, who may call."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface import voice
from svc_tui.interface.access import Caller, Role
from svc_tui.interface.catalogue import operations_of
from svc_tui.interface.field_specs import field_by_wire, fields_of
from svc_tui.interface.operations import AnyOperation, Nothing
from svc_tui.interface.problems import problem_of, why_not_settable
from svc_tui.interface.records import Record
from tests.interface.specification_4_7 import BODIES, DEPRECATED, LISTS, OTHERS, READS, UPDATES

OPERATIONS = operations_of("voice")
FIELDS = [(operation, wire) for operation, body in BODIES.items() for wire in body]


def test_every_body_of_the_specification_is_declared_with_exactly_its_fields() -> None:
    declared = {id: operation for id, operation in OPERATIONS.items() if operation.body is not Nothing}
    assert set(declared) == set(BODIES)
    for id, operation in declared.items():
        assert set(field_by_wire(operation.body)) == set(BODIES[id]), id


@pytest.mark.parametrize(("operation", "wire"), FIELDS, ids=[f"{operation}-{wire}" for operation, wire in FIELDS])
def test_values_that_a_field_accepts_and_refuses(operation: str, wire: str) -> None:
    body: type[Record] = OPERATIONS[operation].body
    value, spec = BODIES[operation][wire], field_by_wire(body)[wire]
    assert value.accepted and value.refused
    for each in value.accepted:
        assert problem_of(body, wire, each) == "", each
    for each in value.refused:
        sentence = problem_of(body, wire, each)
        assert sentence and "right format" not in sentence, each
    assert (spec.required, spec.default) == (value.required, value.default)


def test_every_field_of_a_body_has_help() -> None:
    for operation in OPERATIONS.values():
        for spec in fields_of(operation.body):
            assert spec.facet.help, (operation.id, spec.wire)


@pytest.mark.parametrize("id", LISTS)
def test_default_order_of_lists(id: str) -> None:
    query: Any = OPERATIONS[id].query()
    assert (query.limit, query.offset, query.sort_field, query.sort_order) == LISTS[id]


def _reads(operation: AnyOperation) -> bool:
    return operation.method == "GET"


@pytest.mark.parametrize("id", OPERATIONS)
def test_roles_of_operations(id: str) -> None:
    operation = OPERATIONS[id]
    expected = OTHERS.get(id) or (READS if _reads(operation) else UPDATES)
    declared = operation.who.as_text()
    if id == "get_subscriber_overflow_status":
        # Also the user of the extension, with any role.
        assert all("own" in declared[role.value].split("+") for role in Role)
        declared = {role: "+".join(set(reach.split("+")) - {"own"}) for role, reach in declared.items()}
        declared = {role: reach for role, reach in declared.items() if reach}
    assert declared == expected


def test_only_superadmin_and_the_bp_admin_link_a_trunk() -> None:
    for body in (voice.CloudPbxUpdate, voice.CloudPbxCreation):
        spec = field_by_wire(body)["externalTrunkId"]
        for role in Role:
            allowed = role in (Role.SUPERADMIN, Role.BP_ADMIN)
            assert (why_not_settable(spec, Caller("u", frozenset({role})).roles) == "") == allowed, role


def test_the_deprecated_operations_and_fields_are_marked() -> None:
    assert {id for id, operation in OPERATIONS.items() if operation.deprecated} == DEPRECATED
    marked = {
        spec.wire
        for model in (voice.WelcomeServiceBody, voice.CloudPbxSettings, voice.SubscriberBody)
        for spec in fields_of(model)
        if spec.facet.deprecated
    }
    assert marked == {"welcomeId", "allowCloudPbxRecording", "aaNbbOfRepetitions", "login"}


def test_a_superadmin_names_recordings_by_their_ids() -> None:
    assert field_by_wire(voice.RecordingDeletion)["recordIds"].required


def test_passwords_are_secrets() -> None:
    for model in (voice.Subscriber, voice.SubscriberBody, voice.CloudPbx, voice.DdiNumber):
        for spec in fields_of(model):
            assert spec.facet.secret == ("password" in spec.wire), spec.wire


def test_every_field_of_the_records_is_declared() -> None:
    records = {
        voice.CloudPbx: "id type siteId companyId name latin_name country pbxId status bpId creationDate "
        "statusUpdatedDate blockedDate voiceInstanceId jid_pbxagent jid_pbxagent_password jid_pbxpcg "
        "jid_pbxpcg_password cloudpbx",
        voice.CloudPbxSettings: "outgoingPrefix numberingPrefix numberingPrefixes numberingDigits "
        "numberingDigitsLength numberingPlan installationNumber installationNumberId domainName voiceNumber "
        "externalTrunkId externalTrunkAdditionalInfo language customSipHeader_1 customSipHeader_2 "
        "overflowSubscribersToVoicemail barringOptions bargeOptions cliOptions emergencyOptions callForwardOptions "
        "peerAuthenticationOptions allowCloudPbxRecording routeInternalCallsToPeer callForkingToPstnNumber "
        "optimizedDialing customDialingRules monolineIncomingMode telephonyLinePolicy emulatedRingBackTone "
        "shortCodePrefix shortCodeDigits serviceCodesDialPlan sipDeviceTransferMode aaNbbOfRepetitions",
        voice.ExternalTrunk: "name bpIds status description callForkingToPstnNumber trunkType voiceInstanceId "
        "loadBalancerOptions hybrid_specific_data",
        voice.LoadBalancerOptions: "loadBalancerId policy loadBalancerHostName loadBalancerDisplayName "
        "loadBalancerDescription",
        voice.Subscriber: "id deviceName type deviceType isFromSystem isMonitored userId shortNumber internalNumber "
        "voiceMailNumber pbxUserId systemId jid_im jid_tel jid_password pbxId country creationDate shardKey password "
        "overflowToVoicemail barringOptions bargeOptions cliOptions isRecordingActivated recordingProfile "
        "externalNumberId externalNumber secondaryDDIs status cloudPbxStatus",
        voice.DdiNumber: "firstName lastName deviceName names type deviceType isFromSystem isMonitored userId number "
        "systemId externalTrunkId country numberE164 isCloudPbxDefault isCloudPbxDDI creationDate jid_im "
        "jid_password jid_tel id isAssignedAsSecondaryCloudPbxDDI secondaryDdiOrder",
        voice.Device: "id macAddress description companyId systemId phoneNumberId userId currentDevice deviceType",
        voice.DeviceType: "id vendor model",
        voice.Registration: "id fullSipURI expirationDate user_agent deviceId publicSourceRegistration",
        voice.Recording: "id fileName mime size date duration otherParty recordedParty direction callId companyId",
        voice.WelcomeService: "id systemId name externalNumber externalNumberId secondaryDDIs phoneNumberId timezone "
        "welcomeId welcomeName companyCalendarId companyCalendarName voiceAutoAttendantId voiceAutoAttendantName "
        "isDefaultIvr state manualMode welcomeServicesManualMode openHoursOverflow closedHoursOverflow",
        voice.OverflowShown: "type destinationId name number toVoicemail userDisplayName userId",
    }
    for model, wires in records.items():
        assert set(wires.split()) <= set(field_by_wire(model)), model.__name__
