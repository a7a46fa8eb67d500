"""The form for a subscriber's options: the sent values, and the settings of the company."""

from __future__ import annotations

import pytest

from svc_tui.interface.catalogue import body_of, operation
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.problems import problems_of
from svc_tui.interface.voice.cloudpbx_editing import Part
from svc_tui.interface.voice.subscriber_editing import (
    EDITED,
    PARTS,
    bodies,
    company_has,
    contradictions,
    part_of,
    shared,
    values_of,
    wire_of,
)

SUBSCRIBER = {
    "recordingProfile": "none",
    "barringOptions": {"permissions": "default", "restrictions": "default"},
    "callForwardOptions": {"externalCallForward": "company_policy"},
    "overflowToVoicemail": {"value": "default", "unavailableOverflow": "disabled", "activate": True},
    "bargeOptions": {"telephonyBasicAttendantBargeIn": "enabled", "companyPolicy": "disabled"},
    "cliOptions": {"policy": "user_ddi_number", "companyPolicy": "installation_ddi_number"},
}
VALUES = values_of(SUBSCRIBER, {"policy": "none"}, {"customSipHeader_1": "X-A: 1"})


def test_every_value_is_found() -> None:
    assert VALUES == {
        "recordingProfile": "none",
        "barringOptions.permissions": "default",
        "barringOptions.restrictions": "default",
        "callForwardOptions.externalCallForward": "company_policy",
        "overflow.value": "default",
        "overflow.unavailableOverflow": "disabled",
        "bargeOptions.telephonyBasicAttendantBargeIn": "enabled",
        "pstn.policy": "none",
        "sip.customSipHeader_1": "X-A: 1",
        "cliOptions.policy": "user_ddi_number",
        "cliOptions.companyPolicy": "installation_ddi_number",
    }


@pytest.mark.parametrize("part", [part for part in PARTS if part.operation], ids=lambda part: part.operation)
def test_each_group_is_sent_with_an_operation_that_takes_it(part: Part) -> None:
    assert body_of(part.operation) is part.body
    assert operation(part.operation).method == "PUT"


def test_required_fields_are_sent_with_changed_ones() -> None:
    changed = {"overflow.value": "custom", "overflow.noReplyDelay": 30, "sip.customSipHeader_2": None}
    (overflow, body), (headers, rest) = bodies(changed, {**VALUES, **changed})
    assert overflow.operation == "update_subscriber_overflow"
    assert body == {"value": "custom", "unavailableOverflow": "disabled", "noReplyDelay": 30}
    assert not problems_of(overflow.body, body)
    assert headers.operation == "update_subscriber_sip_headers"
    assert rest == {"customSipHeader_2": None}


def test_read_only_values_are_not_sent() -> None:
    assert bodies({"cliOptions.policy": "installation_ddi_number"}, VALUES) == []


def test_a_field_finds_the_field_that_it_requires() -> None:
    needs = field_by_wire(EDITED)["pstn.numberE164"].facet.needs
    assert needs is not None
    assert needs.met({"pstn.policy": "custom_ddi_number"})
    assert not needs.met({"policy": "custom_ddi_number"})


def test_custom_ddi_number_requires_a_number() -> None:
    chosen = {**VALUES, "pstn.policy": "custom_ddi_number"}
    assert [(each.key, each.needs) for each in contradictions(chosen)] == [("pstn.policy", "pstn.numberE164")]
    assert not contradictions({**chosen, "pstn.numberE164": "+351210990000"})
    assert not contradictions(VALUES)


def test_each_option_has_the_setting_of_the_company() -> None:
    company = company_has(
        {
            "announcementProfile": "all",
            "barringOptions": {"permissions": "nat_local"},
            "overflowSubscribersToVoicemail": {"activate": False, "noReplyDelay": 20},
            "callForkingToPstnNumber": "activated",
            "customSipHeader_1": "",
        }
    )
    assert company == {
        "recordingProfile": "all announced",
        "barringOptions.permissions": "nat_local",
        "overflow.value": False,
        "overflow.noReplyDelay": 20,
        "pstn.policy": "activated",
    }
    assert all(part_of(wire) for wire in company)


def test_a_refusal_is_about_the_field_that_was_edited() -> None:
    pstn = part_of("pstn.policy")
    assert wire_of(pstn, "numberE164") == "pstn.numberE164"
    assert wire_of(pstn, "userId") == ""


def test_a_new_subscriber_like_another_one_shares_what_the_company_does_not_decide() -> None:
    assert shared(VALUES) == {
        "overflow.unavailableOverflow": "disabled",
        "bargeOptions.telephonyBasicAttendantBargeIn": "enabled",
        "pstn.policy": "none",
        "sip.customSipHeader_1": "X-A: 1",
    }


def test_the_external_number_of_a_user_is_not_shared() -> None:
    own = {**VALUES, "pstn.policy": "custom_ddi_number", "pstn.numberE164": "+351912345678", "recordingProfile": "all"}
    found = shared(own)
    assert (found["recordingProfile"], [wire for wire in found if wire.startswith("pstn")]) == ("all", [])
    assert "overflow.noReplyDelay" not in shared({**VALUES, "overflow.noReplyDelay": 20})
    assert shared({**VALUES, "overflow.value": "custom", "overflow.noReplyDelay": 20})["overflow.noReplyDelay"] == 20
