"""What prevents or limits calls and recordings, against the specification: 2.14, 2.15 and 4.7."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.interface.errors import Code
from svc_tui.interface.voice.findings import Telephone, extension_of, has_voice, telephone_findings

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
PBX: dict[str, Any] = {
    "id": "pbx",
    "status": "created",
    "cloudpbx": {"externalTrunkId": "trunk", "barringOptions": {"permissions": "int_nat_local"}},
}
USER: dict[str, Any] = {
    "id": "u",
    "phoneNumbers": [{"number": "+351910000000"}, {"systemId": "pbx", "phoneNumberId": "p", "shortNumber": "2005"}],
    "profiles": [{"offerId": "voice"}],
}
SUBSCRIBER: dict[str, Any] = {
    "id": "p",
    "status": "activated",
    "cloudPbxStatus": "activated",
    "externalNumber": "+351210992005",
    "barringOptions": {"permissions": "default", "restrictions": "default"},
    "cliOptions": {"numberE164": "+351210990000"},
    "recordingProfile": "all",
    "isRecordingActivated": True,
}
ONLINE = {"deviceId": "d", "expirationDate": "2026-11-22T12:00:01.000Z"}
WITHOUT = {**USER, "phoneNumbers": [{"number": "+351910000000"}]}
OFFERS = ({"id": "voice", "hasVoice": True}, {"id": "business"})
#: Everything known, and nothing wrong.
FINE: dict[str, Any] = {
    "user": USER,
    "cloudpbxs": [PBX],
    "subscriber": SUBSCRIBER,
    "devices": [{"id": "d"}],
    "registrations": [ONLINE],
}


def found(**changes: Any) -> list[tuple[str, str, str]]:
    """Subject with sentence, kind with field, and rule of each finding, with these changes."""
    findings = telephone_findings(Telephone(**{**FINE, "now": NOW, **changes}))
    return [(f"{each.about}: {each.sentence}", f"{each.kind}.{each.field}", each.rule) for each in findings]


def pbx(**changes: Any) -> list[dict[str, Any]]:
    """The CloudPBX with other settings."""
    return [{**PBX, "cloudpbx": {**PBX["cloudpbx"], **changes}}]


def test_nothing_prevents_the_calls_of_an_extension_with_a_number_and_a_registered_device() -> None:
    assert found() == []


def test_unknown_facts_lead_to_no_finding() -> None:
    assert list(telephone_findings(Telephone(user=USER, now=NOW))) == []


def test_a_company_without_a_cloudpbx_has_no_calls() -> None:
    assert found(cloudpbxs=[]) == [("Calls: Not possible: the company has no CloudPBX.", "cloudpbxs.companyId", "2.14")]


def test_a_user_without_an_extension_has_no_calls() -> None:
    missing = [("Calls: Not possible: the user has no extension.", "users.phoneNumbers", "4.7")]
    assert found(user=WITHOUT) == missing
    assert found(user=WITHOUT, offers=OFFERS) == missing


def test_an_extension_requires_a_licence_for_voice() -> None:
    user = {**WITHOUT, "profiles": [{"offerId": "business"}]}
    assert found(user=user, offers=OFFERS) == [
        ("Calls: Not possible: no extension, and no licence for voice.", "users.profiles", "4.7")
    ]
    [finding] = telephone_findings(Telephone(user=user, now=NOW, cloudpbxs=[PBX], offers=OFFERS))
    assert finding.code == Code.NO_VOICE_LICENCE
    assert has_voice([{"isVoicePhone": True}], ())
    assert has_voice([{"offerId": "phone"}], [{"id": "phone", "isVoicePhone": True}])


def test_the_extension_is_the_number_that_belongs_to_a_system() -> None:
    assert (extension_of(USER) or {})["phoneNumberId"] == "p"
    assert extension_of(WITHOUT) is None
    assert extension_of({"phoneNumbers": "none"}) is None


def test_a_disconnected_cloudpbx_has_no_calls() -> None:
    assert found(cloudpbxs=[{**PBX, "status": "disconnected"}]) == [
        ("Calls: Not possible: the CloudPBX is disconnected.", "cloudpbxs.status", "2.14")
    ]


@pytest.mark.parametrize("state", ["status", "cloudPbxStatus"])
def test_an_extension_must_be_activated(state: str) -> None:
    assert found(subscriber={**SUBSCRIBER, state: "activating"}) == [
        ("Calls: Not possible: the extension is not activated.", "subscribers.status", "2.15")
    ]


def test_a_registration_that_has_expired_is_none() -> None:
    missing = [("Calls: Not possible: no device is registered.", "registrations.expirationDate", "2.15")]
    assert found(registrations=[]) == missing
    assert found(registrations=[{"deviceId": "d", "expirationDate": "2026-11-22T12:00:00.000Z"}]) == missing


def test_a_soft_phone_needs_no_device() -> None:
    assert found(devices=[]) == []
    assert found(devices=[], registrations=[]) == [
        ("Calls: Not possible: no device is assigned, and none is online.", "sipdevices.phoneNumberId", "2.15")
    ]


@pytest.mark.parametrize(
    ("permissions", "sentence"),
    [
        ("local", "Calls: Only internal: all other calls are barred."),
        ("nat_local", "Calls: Not abroad: international calls are barred."),
    ],
)
def test_barring_is_that_of_the_subscriber_or_the_company(permissions: str, sentence: str) -> None:
    own = {**SUBSCRIBER, "barringOptions": {"permissions": permissions}}
    company = pbx(barringOptions={"permissions": permissions})
    assert found(subscriber=own) == [(sentence, "subscribers.barringOptions", "2.14")]
    assert found(cloudpbxs=company) == [(sentence, "cloudpbxs.barringOptions", "2.14")]
    assert found(cloudpbxs=company, subscriber={**SUBSCRIBER, "barringOptions": {"permissions": "int_nat_local"}}) == []


def test_external_calls_need_a_trunk() -> None:
    assert found(cloudpbxs=pbx(externalTrunkId=None)) == [
        ("Calls: Only internal: no trunk is linked.", "cloudpbxs.externalTrunkId", "4.7")
    ]


def test_incoming_external_calls_need_a_number() -> None:
    assert found(subscriber={**SUBSCRIBER, "externalNumber": None}) == [
        ("Calls: Not from outside: no DDI number is assigned.", "subscribers.externalNumber", "2.15")
    ]


def test_callees_see_a_number_only_where_there_is_one() -> None:
    assert found(subscriber={**SUBSCRIBER, "cliOptions": {"policy": "user_ddi_number"}}) == [
        ("Calls: Callees see no number.", "subscribers.cliOptions", "2.15")
    ]


@pytest.mark.parametrize("changes", [{"recordingProfile": "none"}, {"isRecordingActivated": False}])
def test_recording_that_is_off_is_found(changes: dict[str, Any]) -> None:
    assert found(subscriber={**SUBSCRIBER, **changes}) == [
        ("Recording: Off: no calls of this extension are recorded.", "subscribers.recordingProfile", "4.7")
    ]


@pytest.mark.parametrize("profile", ["internal_only", "external_only"])
def test_recording_some_calls_is_a_choice(profile: str) -> None:
    assert found(subscriber={**SUBSCRIBER, "recordingProfile": profile}) == []
