"""Subscribers of a CloudPBX, and their own options (2.15)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.fields import Needs, field
from svc_tui.interface.records import Record
from svc_tui.interface.texts import DIGITS, SIP_PASSWORD
from svc_tui.interface.voice.access import (
    LONGEST_DELAY,
    OWN_PERMISSIONS,
    OWN_RESTRICTIONS,
    SHORTEST_DELAY,
    STATUSES,
    WRITE_VOICE,
    Overflowing,
    OwnForwarding,
    OwnPermission,
    OwnRestriction,
    OwnSwitch,
    PstnPolicy,
    RecordingProfile,
)
from svc_tui.interface.voice.cloudpbx import CliOptions
from svc_tui.interface.voice.ddis import SecondaryDdi
from svc_tui.interface.voice.texts import HEADER_1, HEADER_2, SipHeader
from svc_tui.language import _

_WHO, _NUMBERS, _OPTIONS, _STATE = "User", "Numbers", "Options", "State"

OVERFLOWS = {
    "default": _("the company's setting"),
    "custom": _("to voicemail, after its own delay"),
    "disabled": "never",
}
_DELAY: dict[str, Any] = {
    "ge": SHORTEST_DELAY,
    "le": LONGEST_DELAY,
    "unit": "s",
    "help": _("Ringing time until a call goes to voicemail"),
}


class OwnCliOptions(CliOptions):
    """The number that callees of a subscriber see, and the company's policy."""

    company_policy: str | None = field(None, help="Setting of the company")


class PstnDeviceOptions(Record):
    """The external number that rings together with a subscriber's devices; also the body of its update."""

    policy: PstnPolicy = field(
        ...,
        choices={
            "company_policy": "the company's setting",
            "none": "no number",
            "subscriber_ddi": "the subscriber's DDI number",
            "custom_ddi_number": "the number entered here",
        },
        help="Number that rings too",
    )
    number_e164: str | None = field(
        None,
        wire="numberE164",
        max_length=64,
        needs=Needs("policy", "custom_ddi_number"),
        help="External number, for custom_ddi_number",
        personal=True,
    )


class SipHeaders(Record):
    """SIP headers added to a subscriber's calls; also the body of their update."""

    custom_sip_header_1: SipHeader | None = field(None, **HEADER_1, personal=True)
    custom_sip_header_2: SipHeader | None = field(None, **HEADER_2, personal=True)


class OwnBargeBody(Record):
    """The update of a subscriber's barge options."""

    telephony_basic_attendant_barge_in: OwnSwitch = field(
        ..., help="Whether attendants may join the subscriber's calls"
    )


class OwnBargeOptions(Record):
    """Whether attendants may join a subscriber's calls, and the company's setting."""

    telephony_basic_attendant_barge_in: OwnSwitch | None = field(
        None, help="Whether attendants may join the subscriber's calls"
    )
    company_policy: str | None = field(None, help="Setting of the company")


class OwnBarring(Record):
    """The calls that a subscriber may make; also the body of its update."""

    permissions: OwnPermission | None = field(None, choices=OWN_PERMISSIONS, help="Permitted calls")
    restrictions: OwnRestriction | None = field(None, choices=OWN_RESTRICTIONS, help="Prohibited numbers")


class OwnCallForward(Record):
    """Whether a subscriber may forward calls to external numbers; also the body of its update."""

    external_call_forward: OwnForwarding = field(..., help="Whether calls may be forwarded to external numbers")


class OverflowBody(Record):
    """The update of a subscriber's overflow to voicemail."""

    value: Overflowing = field(..., label="Unanswered calls", choices=OVERFLOWS, help="Overflow of unanswered calls")
    unavailable_overflow: Overflowing = field(..., choices=OVERFLOWS, help="Overflow when no device is online")
    no_reply_delay: int | None = field(None, needs=Needs("value", "custom"), **_DELAY)


class Overflow(Record):
    """Overflow of a subscriber's calls to voicemail."""

    value: Overflowing | None = field(
        None, label="Unanswered calls", choices=OVERFLOWS, help="Overflow of unanswered calls"
    )
    unavailable_overflow: Overflowing | None = field(None, choices=OVERFLOWS, help="Overflow when no device is online")
    no_reply_delay: int | None = field(None, **_DELAY)
    activate: bool | None = field(
        None, label="In effect", help="Whether calls go to voicemail, with the company's setting applied"
    )


class RecordingChoice(Record):
    """The calls of a subscriber that are recorded; also the body of its update."""

    recording_profile: RecordingProfile = field(..., help="Recorded calls")


class ShardKey(Record):
    """The place of the extension in the platform."""

    country: str | None = field(None, codes=COUNTRIES)
    phone_number: str | None = field(None, personal=True)
    owner: str | None = field(None, personal=True)


class Subscriber(Record):
    """A subscriber: the extension of a user. Its id is its phoneNumberId."""

    ALWAYS: ClassVar = ("id", "systemId", "userId", "shortNumber", "status")
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, group=_WHO, help="Identifier: the phoneNumberId")
    user_id: str | None = field(None, refers="users", group=_WHO, help="User of the extension")
    first_name: str | None = field(None, group=_WHO, help="First name of the user", personal=True)
    last_name: str | None = field(None, group=_WHO, help="Last name of the user", personal=True)
    names: str | None = field(None, group=_WHO, help="Name of the user", personal=True)
    device_name: str | None = field(None, group=_WHO, help="Name on the displays of devices", personal=True)
    short_number: str | None = field(None, group=_NUMBERS, help="Internal number", personal=True)
    internal_number: str | None = field(
        None, group=_NUMBERS, help="Internal number in the whole company", personal=True
    )
    external_number: str | None = field(None, group=_NUMBERS, help="Main DDI number", personal=True)
    external_number_id: str | None = field(
        None, refers="ddis", group=_NUMBERS, help="Identifier of the main DDI number"
    )
    secondary_ddis: list[SecondaryDdi] | None = field(
        None, wire="secondaryDDIs", group=_NUMBERS, help="Further DDI numbers, in their order"
    )
    voice_mail_number: str | None = field(None, group=_NUMBERS, help="Number of the voicemail", personal=True)
    overflow_to_voicemail: Overflow | None = field(None, group=_OPTIONS, help="Overflow of calls to voicemail")
    barring_options: OwnBarring | None = field(None, group=_OPTIONS, help="Permitted calls")
    barge_options: OwnBargeOptions | None = field(
        None, group=_OPTIONS, help="Whether attendants may join the subscriber's calls"
    )
    call_forward_options: OwnCallForward | None = field(None, group=_OPTIONS, help="Forwarding of calls")
    cli_options: OwnCliOptions | None = field(None, group=_OPTIONS, help="The number that callees see")
    is_recording_activated: bool | None = field(None, group=_OPTIONS, help="Whether calls are recorded")
    recording_profile: RecordingProfile | None = field(None, group=_OPTIONS, help="Recorded calls")
    status: str | None = field(None, group=_STATE, choices=STATUSES, help="State of the extension")
    cloud_pbx_status: str | None = field(None, group=_STATE, choices=STATUSES, help="State at the CloudPBX")
    type: str | None = field(None, group=_NUMBERS, help="Type of number")
    device_type: str | None = field(None, group=_STATE, help="Type of device")
    is_from_system: bool | None = field(None, group=_STATE, help="Whether it belongs to a system")
    is_monitored: bool | None = field(None, group=_STATE, help="Whether the state of its line is monitored")
    pbx_id: str | None = field(None, group=_STATE, help="Technical identifier of the CloudPBX")
    pbx_user_id: str | None = field(None, group=_STATE, help="Identifier at the CloudPBX")
    system_id: str | None = field(None, refers="cloudpbxs", group=_STATE, help="CloudPBX of the subscriber")
    country: str | None = field(None, group=_STATE, codes=COUNTRIES, help="Country")
    creation_date: datetime | None = field(None, group=_STATE, help="Creation date")
    shard_key: ShardKey | None = field(None, group=_STATE, help="Place in the platform")
    jid_im: str | None = field(None, wire="jid_im", group=_STATE, help="Messaging address", personal=True)
    jid_tel: str | None = field(
        None, wire="jid_tel", group=_STATE, help="Messaging address of the telephone", personal=True
    )
    jid_password: str | None = field(
        None, wire="jid_password", group=_STATE, secret=True, readers=WRITE_VOICE, only_in=("get_subscriber",)
    )
    password: str | None = field(
        None,
        group=_STATE,
        secret=True,
        only_in=("create_subscriber",),
        help="SIP password; shown once, in the response to the creation",
    )


class SubscriberBody(Record):
    """A new subscriber."""

    user_id: str = field(..., refers="users", group=_WHO, help="User; requires a licence for voice")
    short_number: str = field(
        ...,
        picks="freenumbers",
        min_length=1,
        max_length=15,
        pattern=DIGITS,
        group=_NUMBERS,
        help="Unassigned internal number",
    )
    password: str | None = field(
        None,
        min_length=8,
        max_length=12,
        pattern=SIP_PASSWORD,
        secret=True,
        group=_STATE,
        help="SIP password of lowercase letters, digits, * and #; generated when empty",
    )
    login: str | None = field(None, group=_STATE, deprecated="the service generates the login", help="Ignored")


class SubscriberQuery(ListQuery):
    """The order of a list of subscribers."""

    DEFAULT_SORT: ClassVar = "shortNumber"

    sort_field: str | None = field("shortNumber", help="Field to sort by")


class PhoneNumberQuery(SubscriberQuery):
    """Filters of the list of extensions of a system."""

    short_number: str | None = field(None, help="Beginning of the short number")
    internal_number: str | None = field(None, help="Beginning of the internal number")
    pbx_user_id: str | None = field(None, help="Identifier at the CloudPBX")
    company_prefix: str | None = field(None, filters=("internalNumber",), help="Prefix of the company")
    is_monitored: bool | None = field(None, help="Monitored extensions, or the others")
    name: str | None = field(
        None, filters=("firstName", "lastName", "names"), help="Beginning of the first, last or whole name"
    )
    device_name: str | None = field(None, help="Part of the device name")
    is_assigned_to_user: bool | None = field(None, filters=("userId",), help="Extensions with a user, or without one")


__all__ = [
    "OVERFLOWS",
    "Overflow",
    "OverflowBody",
    "OwnBargeBody",
    "OwnBargeOptions",
    "OwnBarring",
    "OwnCallForward",
    "OwnCliOptions",
    "PhoneNumberQuery",
    "PstnDeviceOptions",
    "RecordingChoice",
    "SipHeaders",
    "Subscriber",
    "SubscriberBody",
    "SubscriberQuery",
]
