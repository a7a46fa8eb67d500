"""Why a phone rings or not: the path of a call, decided on records alone (2.14, 2.15, 2.17)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.interface.voice.call_path import CallPath
from svc_tui.interface.voice.call_steps import FIND_NUMBER, Answer, Ask, Called, last_branches

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
PBX: dict[str, Any] = {
    "id": "pbx",
    "name": "Head office",
    "status": "created",
    "companyId": "c",
    "cloudpbx": {
        "externalTrunkId": "t",
        "externalTrunkAdditionalInfo": {"name": "Lisbon", "status": "active"},
        "overflowSubscribersToVoicemail": {"activate": True, "noReplyDelay": 20, "activateUnavailableOverflow": True},
        "callForwardOptions": {"externalCallForward": "authorized"},
    },
}
DDI: dict[str, Any] = {"id": "n", "numberE164": "+351210992005", "country": "PRT", "userId": "u", "names": "Una Byrne"}
SUBSCRIBER: dict[str, Any] = {
    "id": "p",
    "userId": "u",
    "shortNumber": "2005",
    "names": "Una Byrne",
    "status": "activated",
    "externalNumberId": "n",
    "externalNumber": "+351210992005",
}
USER: dict[str, Any] = {
    "id": "u",
    "displayName": "Una Byrne",
    "isActive": True,
    "phoneNumbers": [{"systemId": "pbx", "phoneNumberId": "p"}],
}
SERVICE: dict[str, Any] = {
    "id": "w",
    "name": "Main line",
    "timezone": "UTC",
    "companyCalendarId": "h",
    "openHoursOverflow": {"type": "user", "destinationId": "u", "userDisplayName": "Una Byrne"},
    "closedHoursOverflow": {
        "type": "user",
        "destinationId": "u",
        "userDisplayName": "Una Byrne",
        "toVoicemail": True,
    },
}
WEEKDAYS = [[], *[[["09:00", "17:00"]]] * 5, []]
#: What the service answers, by operation, when nothing is wrong.
FINE: dict[str, Any] = {
    "get_ddi_number": DDI,
    "get_cloudpbx": PBX,
    "get_company": {"id": "c", "name": "Northwind", "status": "active"},
    "get_user": USER,
    "get_subscriber": SUBSCRIBER,
    "get_sip_device": {"id": "d", "description": "Desk", "phoneNumberId": "p"},
    "list_subscriber_devices": [{"id": "d", "description": "Desk"}, {"id": "e", "description": "Lab"}],
    "list_subscriber_registrations": [{"deviceId": "d", "expirationDate": "2026-11-27T13:00:00.000Z"}],
    "get_subscriber_pstn_device_options": {"policy": "none"},
    "get_subscriber_overflow": {"value": "default", "activate": True, "unavailableOverflow": "default"},
    "list_welcome_services": [SERVICE],
    "get_office_hours": {"officehours": {"openhours": WEEKDAYS}},
    FIND_NUMBER: {},
}
NUMBER = Called(system_id="pbx", ddi_id="n")


def follow(called: Called = NUMBER, at: datetime = NOW, seen: Any = None, **answers: Any) -> CallPath:
    """The path with these answers; a text is the reason why something could not be read."""
    given = {**FINE, **answers}
    known: dict[Ask, Answer] = {}
    for _ in range(30):
        path = CallPath(called, known, at, NOW, seen or {})
        if not path.missing:
            return path
        for ask in path.missing:
            value = given[ask.operation]
            known[ask] = Answer(reason=value) if isinstance(value, str) else Answer(value)
    raise AssertionError(path.missing)


def said(path: CallPath) -> str:
    return "\n".join(f"{step.effect} {step.about} {step.name}: {step.sentence}" for step in path.steps)


def test_a_call_from_outside_rings_on_the_devices_that_are_online() -> None:
    path = follow()
    assert path.effect == "passes"
    assert path.verdict == "Rings: Desk"
    assert [step.about for step in path.steps] == [
        *("DDI number", "CloudPBX", "Trunk", "Extension", "User", "Device", "Device", "Forwarding", "Overflow")
    ]
    assert "Main number of Una Byrne." in said(path)
    assert "limits Device Lab: Offline; this console has not seen it online." in said(path)
    assert "Unanswered: voicemail after 20 s. No device online: voicemail." in said(path)
    assert ("subscribers", "p") in path.records
    assert last_branches(path.steps)[-1]


def test_a_device_that_is_offline_was_last_seen_by_this_console() -> None:
    path = follow(seen={"e": datetime(2026, 11, 26, 8, 30, tzinfo=UTC)})
    assert "last seen online by this console Thu 2026-11-26" in said(path)


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        ({"get_ddi_number": {"id": "n", "number": "210"}}, "The number is not assigned."),
        ({"get_cloudpbx": {**PBX, "status": "disconnected"}}, "The CloudPBX is disconnected."),
        ({"get_cloudpbx": {**PBX, "blockedDate": "2026-11-01T00:00:00.000Z"}}, "The CloudPBX is blocked."),
        ({"get_cloudpbx": {**PBX, "cloudpbx": {}}}, "No trunk is linked: no calls from outside."),
        (
            {
                "get_cloudpbx": {
                    **PBX,
                    "cloudpbx": {"externalTrunkId": "t", "externalTrunkAdditionalInfo": {"status": "blocked"}},
                }
            },
            "The trunk is blocked.",
        ),
        ({"get_company": {"status": "hold"}}, "The company is on hold."),
        ({"get_subscriber": {**SUBSCRIBER, "status": "created"}}, "The extension is not activated."),
        ({"get_user": {**USER, "isActive": False}}, "The user is not active."),
        ({"get_user": {**USER, "isTerminated": True}}, "The user is terminated."),
        ({"get_user": {**USER, "phoneNumbers": []}}, "The user has no extension."),
        (
            {"get_user": {**USER, "profiles": [{"offerName": "Voice", "isVoicePhone": True, "status": "hold"}]}},
            "The licence is on hold.",
        ),
        ({"list_subscriber_registrations": []}, "No device is online. The call goes to voicemail."),
        ({"list_subscriber_registrations": [], "list_subscriber_devices": []}, "No device is online."),
        (
            {"list_subscriber_registrations": [{"deviceId": "d", "expirationDate": "2026-11-27T11:59:59.000Z"}]},
            "No device is online.",
        ),
    ],
)
def test_what_prevents_the_call_is_its_verdict(answers: dict[str, Any], verdict: str) -> None:
    path = follow(**answers)
    assert path.effect == "prevents"
    assert path.verdict.startswith(f"Does not ring: {verdict}")


def test_a_suspended_licence_that_is_not_for_voice_prevents_no_call() -> None:
    path = follow(get_user={**USER, "profiles": [{"offerName": "Mail", "status": "hold"}]})
    assert path.effect == "passes"
    assert "limits Licence Mail: The licence is on hold." in said(path)


@pytest.mark.parametrize(
    ("own", "company", "ends"),
    [
        ("default", True, "The call goes to voicemail."),
        ("default", False, "The call ends."),
        ("custom", False, "The call goes to voicemail."),
        ("disabled", True, "The call ends."),
    ],
)
def test_without_a_device_online_the_overflow_decides(own: str, company: bool, ends: str) -> None:
    settings = {**PBX["cloudpbx"], "overflowSubscribersToVoicemail": {"activateUnavailableOverflow": company}}
    path = follow(
        list_subscriber_registrations=[],
        get_cloudpbx={**PBX, "cloudpbx": settings},
        get_subscriber_overflow={"activate": False, "unavailableOverflow": own},
    )
    assert path.verdict == f"Does not ring: No device is online. {ends}"


@pytest.mark.parametrize(
    ("options", "rings"),
    [
        ({"policy": "custom_ddi_number", "numberE164": "+351910000000"}, "+351 910 000 000"),
        ({"policy": "subscriber_ddi"}, "+351 21 099 2005"),
    ],
)
def test_an_external_number_rings_too(options: dict[str, Any], rings: str) -> None:
    path = follow(list_subscriber_registrations=[], get_subscriber_pstn_device_options=options)
    assert path.verdict == f"Rings: {rings}"


def test_a_welcome_service_answers_by_its_hours_at_the_chosen_time() -> None:
    answers = {"get_ddi_number": {"id": "n", "numberE164": "+351210990000", "ivrId": "w", "names": "Main line"}}
    path = follow(**answers)
    assert path.verdict == "Rings: Desk"
    assert "Open by the office hours, until Fri 2026-11-27 17:00. To Una Byrne." in said(path)
    closed = follow(at=datetime(2026, 11, 28, 12, tzinfo=UTC), **answers)
    assert closed.effect == "prevents"
    assert closed.verdict == "Does not ring: The call goes to the voicemail of Una Byrne."
    assert "Closed by the office hours" in said(closed)


def test_services_that_call_each_other_are_a_loop() -> None:
    first = {**SERVICE, "companyCalendarId": None, "openHoursOverflow": {"type": "number", "number": "+351210990001"}}
    second = {**first, "id": "x", "externalNumber": "+351210990001"}
    second["openHoursOverflow"] = {"type": "number", "number": "+351210990000"}
    first["externalNumber"] = "+351210990000"
    answers = {"get_ddi_number": {"id": "n", "number": "1", "ivrId": "w"}, "list_welcome_services": [first, second]}
    path = follow(**answers)
    assert path.verdict == "Does not ring: The call comes back to where it was and never ends."


def test_a_service_may_call_an_extension_or_a_number_elsewhere() -> None:
    service = {**SERVICE, "companyCalendarId": None, "openHoursOverflow": {"type": "number", "number": "2005"}}
    answers = {"get_ddi_number": {"id": "n", "number": "1", "ivrId": "w"}, "list_welcome_services": [service]}
    assert follow(**answers, **{FIND_NUMBER: {"subscribers": "p"}}).verdict == "Rings: Desk"
    assert follow(**answers).verdict == "Rings: 2005"


def test_the_path_of_a_device_is_that_of_its_subscriber() -> None:
    device = Called(system_id="pbx", device_id="d")
    assert follow(device).verdict == "Rings: Desk"
    free = follow(device, get_sip_device={"id": "d", "description": "Desk"})
    assert free.verdict == "Does not ring: The device is assigned to no subscriber."


def test_an_extension_without_a_number_rings_only_inside() -> None:
    own = Called(system_id="pbx", subscriber_id="p")
    path = follow(own, get_subscriber={**SUBSCRIBER, "externalNumberId": None}, get_cloudpbx={**PBX, "cloudpbx": {}})
    assert path.effect == "passes"
    assert "No DDI number is assigned: only internal calls ring." in said(path)
    assert "Trunk" not in said(path)


def test_what_could_not_be_read_decides_nothing() -> None:
    path = follow(list_subscriber_registrations="Only administrators may.")
    assert path.effect == "unknown"
    assert path.verdict == "Not known: a part of the path could not be read."
    assert "unknown Online : Not known: Only administrators may." in said(path)
    begun = CallPath(NUMBER, {}, NOW, NOW)
    assert (begun.effect, begun.verdict) == ("unknown", "Reading…")
