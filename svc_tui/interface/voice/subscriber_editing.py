"""One form for the options of a subscriber, each with the setting of the company (2.15, 4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.fields import field
from svc_tui.interface.flat import flat, flattened, folded
from svc_tui.interface.records import Record
from svc_tui.interface.value_words import word
from svc_tui.interface.voice.cloudpbx_editing import Part
from svc_tui.interface.voice.numbering import VoiceContradiction
from svc_tui.interface.voice.subscribers import (
    OverflowBody,
    OwnBargeBody,
    OwnBarring,
    OwnCallForward,
    OwnCliOptions,
    PstnDeviceOptions,
    RecordingChoice,
    SipHeaders,
)
from svc_tui.language import _

PSTN, SIP, _OVERFLOW, _CLI = "pstn", "sip", "overflow", "cliOptions"

PARTS: tuple[Part, ...] = (
    Part("set_subscriber_recording_profile", RecordingChoice, "", _("Recording"), "get_subscriber"),
    Part("update_subscriber_barring", OwnBarring, "barringOptions", _("Barring"), "subscriberbarring"),
    Part(
        "update_subscriber_call_forward", OwnCallForward, "callForwardOptions", _("Call forward"), "subscriberforward"
    ),
    Part("update_subscriber_overflow", OverflowBody, _OVERFLOW, _("Overflow to voicemail"), "get_subscriber_overflow"),
    Part(
        "update_subscriber_barge_options", OwnBargeBody, "bargeOptions", _("Barge in"), "get_subscriber_barge_options"
    ),
    Part(
        "update_subscriber_pstn_device_options",
        PstnDeviceOptions,
        PSTN,
        _("PSTN device"),
        "get_subscriber_pstn_device_options",
    ),
    Part("update_subscriber_sip_headers", SipHeaders, SIP, _("SIP headers"), "get_subscriber_sip_headers"),
    # No operation changes these for one subscriber.
    Part("", OwnCliOptions, _CLI, "CLI", "get_subscriber_cli_options"),
)


def _flat(*parts: Part) -> type[Record]:
    return flat(*((part.body, part.prefix, part.group) for part in parts), required=True)


#: All fields as one record, with dots in the names of fields inside objects.
EDITED: type[Record] = _flat(*PARTS)
_PART_OF = {wire: part for part in PARTS for wire in field_by_wire(_flat(part))}

#: The setting of the CloudPBX that applies to a subscriber without an own option.
_COMPANY = {
    "recordingProfile": "announcementProfile",
    "barringOptions.permissions": "barringOptions.permissions",
    "barringOptions.restrictions": "barringOptions.restrictions",
    "callForwardOptions.externalCallForward": "callForwardOptions.externalCallForward",
    f"{_OVERFLOW}.value": "overflowSubscribersToVoicemail.activate",
    f"{_OVERFLOW}.unavailableOverflow": "overflowSubscribersToVoicemail.activateUnavailableOverflow",
    f"{_OVERFLOW}.noReplyDelay": "overflowSubscribersToVoicemail.noReplyDelay",
    "bargeOptions.telephonyBasicAttendantBargeIn": "bargeOptions.telephonyBasicAttendantBargeIn",
    f"{PSTN}.policy": "callForkingToPstnNumber",
    f"{SIP}.customSipHeader_1": "customSipHeader_1",
    f"{SIP}.customSipHeader_2": "customSipHeader_2",
    f"{_CLI}.policy": "cliOptions.policy",
    f"{_CLI}.numberE164": "cliOptions.numberE164",
    f"{_CLI}.userCanManageItsCli": "cliOptions.userCanManageItsCli",
    f"{_CLI}.companyNumberCanBeSelectedByUserAsCli": "cliOptions.companyNumberCanBeSelectedByUserAsCli",
}


#: The values of a new subscriber: the company decides, but nothing is recorded.
_COMPANY_DECIDES: tuple[Any, ...] = (None, "", "default", "company_policy")
_AS_NEW: Mapping[str, tuple[Any, ...]] = {"recordingProfile": (None, "none")}


def part_of(wire: str) -> Part:
    """The part of a field."""
    return _PART_OF[wire]


def values_of(subscriber: Mapping[str, Any], pstn: Mapping[str, Any], sip: Mapping[str, Any]) -> dict[str, Any]:
    """The current values: from a subscriber, and the two options with their own operations."""
    overflow = subscriber.get("overflowToVoicemail")
    return flattened({**subscriber, _OVERFLOW: overflow, PSTN: pstn, SIP: sip}, EDITED)


def company_has(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The company's settings beside a subscriber's own options, by their names. `settings` is the `cloudpbx` object.

    For recording it is the announcement. Settings that the company does not have are left out.
    """
    found = {wire: _within(settings, path) for wire, path in _COMPANY.items()}
    if announced := found["recordingProfile"]:
        found["recordingProfile"] = _("{announced} announced").format(announced=word(announced))
    return {wire: value for wire, value in found.items() if value not in (None, "")}


def _within(settings: Mapping[str, Any], path: str) -> Any:
    value: Any = settings
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def contradictions(values: Mapping[str, Any]) -> list[VoiceContradiction]:
    """Contradictions of edited values: custom_ddi_number requires a number."""
    policy, number = f"{PSTN}.policy", f"{PSTN}.numberE164"
    if values.get(policy) != "custom_ddi_number" or values.get(number):
        return []
    return [VoiceContradiction(policy, number, _("custom_ddi_number requires a number"), Code.VALIDATION)]


def bodies(changed: Mapping[str, Any], values: Mapping[str, Any]) -> list[tuple[Part, dict[str, Any]]]:
    """Each part with changed values, and the body of its operation. `values` are all edited values.

    Required fields of an operation are sent with the changed ones.
    """
    found = []
    for part in PARTS:
        own = _of(part, changed)
        if own and part.operation:
            required = {spec.wire for spec in field_by_wire(part.body).values() if spec.required}
            unchanged = {wire: value for wire, value in _of(part, values).items() if wire in required}
            found.append((part, folded({**unchanged, **own})))
    return found


def shared(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a new subscriber gets to be like one with these values: without those that it has anyway, the
    company's settings, and without the external number of a user."""
    found = own_values(values)
    if values.get(f"{PSTN}.policy") == "custom_ddi_number":
        found.pop(f"{PSTN}.policy", None)
    found.pop(f"{PSTN}.numberE164", None)
    return found


def own_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options in which a subscriber with these values differs from a new one."""
    found = {wire: value for wire, value in values.items() if value not in _AS_NEW.get(wire, _COMPANY_DECIDES)}
    if values.get(f"{_OVERFLOW}.value") != "custom":
        found.pop(f"{_OVERFLOW}.noReplyDelay", None)
    return {wire: value for wire, value in found.items() if wire in _PART_OF and part_of(wire).operation}


def _of(part: Part, values: Mapping[str, Any]) -> dict[str, Any]:
    return {wire.removeprefix(part.prefix): value for wire, value in values.items() if part_of(wire) is part}


def wire_of(part: Part, param: str) -> str:
    """The edited field of a refusal; empty for none."""
    wire = f"{part.prefix}{param}"
    return wire if wire in _PART_OF else ""


class PhoneSetup(Record):
    """What one of several users gets for telephony, as a row of a table; each part has its own operation."""

    user: str | None = field(None, help="The marked user")
    licence: str | None = field(
        None, max_length=200, help="A subscription of the company for voice, or a part of its name"
    )
    extension: str | None = field(None, max_length=15, help="A free internal number")
    ddi: str | None = field(
        None, max_length=64, label="DDI number", help="A free DDI number of the CloudPBX, or a part of it"
    )
    device: str | None = field(None, max_length=64, help="A free device: its MAC address, or a part of its name")
