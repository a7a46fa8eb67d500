"""Subscribers of a CloudPBX, and the options that each of them has of his own (2.15)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.records import Needs, Record, field
from svc_tui.interface.text_patterns import DIGITS, ONE_LINE, SIP_PASSWORD
from svc_tui.interface.voice.cloudpbx import CliOptions
from svc_tui.interface.voice.ddis import SecondaryDdi
from svc_tui.interface.voice.kinds import (
    LONGEST_DELAY,
    OWN_PERMISSIONS,
    OWN_RESTRICTIONS,
    SHORTEST_DELAY,
    Overflowing,
    OwnForwarding,
    OwnPermission,
    OwnRestriction,
    OwnSwitch,
    PstnPolicy,
    RecordingProfile,
)

_WHO, _NUMBERS, _OPTIONS, _STATE = "User", "Numbers", "Options", "State"

OVERFLOWS = {"default": "as the company has it", "custom": "to voicemail, after an own delay", "disabled": "never"}
_DELAY: dict[str, Any] = {"ge": SHORTEST_DELAY, "le": LONGEST_DELAY, "unit": "s", "help": "How long a call rings"}


class OwnCliOptions(CliOptions):
    """The number that callees of a subscriber see, and what the company has."""

    company_policy: str | None = field(None, help="What the company has")


class PstnDeviceOptions(Record):
    """The number outside at which a subscriber is rung too; also the body of its update."""

    policy: PstnPolicy = field(
        ...,
        choices={
            "company_policy": "as the company has it",
            "none": "no number",
            "subscriber_ddi": "the subscriber's DDI number",
            "custom_ddi_number": "the number given here",
        },
        help="Which number it is",
    )
    number_e164: str | None = field(
        None, wire="numberE164", max_length=64, needs=Needs("policy", "custom_ddi_number"), help="The number given here"
    )


class SipHeaders(Record):
    """Headers added to a subscriber's calls; also the body of their update."""

    custom_sip_header_1: str | None = field(
        None, wire="customSipHeader_1", max_length=255, pattern=ONE_LINE, help="Header"
    )
    custom_sip_header_2: str | None = field(
        None, wire="customSipHeader_2", max_length=255, pattern=ONE_LINE, help="A second header"
    )


class OwnBargeBody(Record):
    """Body of the update of a subscriber's barge options."""

    telephony_basic_attendant_barge_in: OwnSwitch = field(..., help="Whether attendants may join his calls")


class OwnBargeOptions(Record):
    """Whether attendants may join a subscriber's calls, and what the company has."""

    telephony_basic_attendant_barge_in: OwnSwitch | None = field(None, help="Whether attendants may join his calls")
    company_policy: str | None = field(None, help="What the company has")


class OwnBarring(Record):
    """Which calls a subscriber may make; also the body of its update."""

    permissions: OwnPermission | None = field(None, choices=OWN_PERMISSIONS, help="Which calls he may make")
    restrictions: OwnRestriction | None = field(None, choices=OWN_RESTRICTIONS, help="Which numbers are prohibited")


class OwnCallForward(Record):
    """Whether a subscriber may forward calls to outside; also the body of its update."""

    external_call_forward: OwnForwarding = field(..., help="Whether he may forward calls to outside")


class OverflowBody(Record):
    """Body of the update of a subscriber's overflow to voicemail."""

    value: Overflowing = field(..., choices=OVERFLOWS, help="When nobody answers")
    unavailable_overflow: Overflowing = field(..., choices=OVERFLOWS, help="When no device is online")
    no_reply_delay: int | None = field(None, needs=Needs("value", "custom"), **_DELAY)


class Overflow(Record):
    """When the calls of a subscriber go to his voicemail."""

    value: Overflowing | None = field(None, choices=OVERFLOWS, help="When nobody answers")
    unavailable_overflow: Overflowing | None = field(None, choices=OVERFLOWS, help="When no device is online")
    no_reply_delay: int | None = field(None, **_DELAY)
    activate: bool | None = field(None, help="Whether calls go to voicemail, the company's choice considered")


class RecordingChoice(Record):
    """Which calls of a subscriber are recorded; also the body of its update."""

    recording_profile: RecordingProfile = field(..., help="Which calls are recorded")


class ShardKey(Record):
    """Where in the platform the extension lies."""

    country: str | None = None
    phone_number: str | None = None
    owner: str | None = None


class Subscriber(Record):
    """A subscriber as it is read: the extension of a user. Its id is its phoneNumberId."""

    NEVER: ClassVar = ("jid_password", "password")

    id: str | None = field(None, group=_WHO, help="Identifier: the phoneNumberId")
    user_id: str | None = field(None, refers="users", group=_WHO, help="The user whose extension it is")
    first_name: str | None = field(None, group=_WHO, help="First name of the user")
    last_name: str | None = field(None, group=_WHO, help="Last name of the user")
    names: str | None = field(None, group=_WHO, help="Name of the user")
    device_name: str | None = field(None, group=_WHO, help="Name that displays show")
    short_number: str | None = field(None, group=_NUMBERS, help="Number by which colleagues call")
    internal_number: str | None = field(None, group=_NUMBERS, help="The same for the whole company")
    external_number: str | None = field(None, group=_NUMBERS, help="Main DDI number")
    external_number_id: str | None = field(None, refers="ddis", group=_NUMBERS, help="Its identifier")
    secondary_ddis: list[SecondaryDdi] | None = field(
        None, wire="secondaryDDIs", group=_NUMBERS, help="Further DDI numbers, in their order"
    )
    voice_mail_number: str | None = field(None, group=_NUMBERS, help="Number of the voicemail")
    overflow_to_voicemail: Overflow | None = field(None, group=_OPTIONS, help="When calls go to voicemail")
    barring_options: OwnBarring | None = field(None, group=_OPTIONS, help="Which calls he may make")
    barge_options: OwnBargeOptions | None = field(None, group=_OPTIONS, help="Whether attendants may join his calls")
    call_forward_options: OwnCallForward | None = field(None, group=_OPTIONS, help="Forwarding of calls")
    cli_options: OwnCliOptions | None = field(None, group=_OPTIONS, help="The number that callees see")
    is_recording_activated: bool | None = field(None, group=_OPTIONS, help="Whether calls are recorded")
    recording_profile: RecordingProfile | None = field(None, group=_OPTIONS, help="Which calls are recorded")
    status: str | None = field(None, group=_STATE, help="State of the extension")
    cloud_pbx_status: str | None = field(None, group=_STATE, help="State at the CloudPBX")
    type: str | None = field(None, group=_NUMBERS, help="Kind of number")
    device_type: str | None = field(None, group=_STATE, help="Kind of device")
    is_from_system: bool | None = field(None, group=_STATE, help="Whether it belongs to a system")
    is_monitored: bool | None = field(None, group=_STATE, help="Whether the state of its line is followed")
    pbx_id: str | None = field(None, group=_STATE, help="Technical identifier of the CloudPBX")
    pbx_user_id: str | None = field(None, group=_STATE, help="Identifier at the CloudPBX")
    system_id: str | None = field(None, refers="cloudpbxs", group=_STATE, help="The CloudPBX")
    country: str | None = field(None, group=_STATE, help="Country")
    creation_date: datetime | None = field(None, group=_STATE, help="When it was created")
    shard_key: ShardKey | None = field(None, group=_STATE, help="Where in the platform it lies")
    jid_im: str | None = field(None, wire="jid_im", group=_STATE, help="Messaging address")
    jid_tel: str | None = field(None, wire="jid_tel", group=_STATE, help="Messaging address of the telephone")
    jid_password: str | None = field(None, wire="jid_password", group=_STATE, secret=True)
    password: str | None = field(
        None, group=_STATE, secret=True, help="SIP password; shown once, in the answer of the creation"
    )


class SubscriberBody(Record):
    """Body of the creation."""

    user_id: str = field(..., refers="users", group=_WHO, help="The user; he needs a licence for voice")
    short_number: str = field(
        ...,
        picks="freenumbers",
        min_length=1,
        max_length=15,
        pattern=DIGITS,
        group=_NUMBERS,
        help="A free internal number",
    )
    password: str | None = field(
        None,
        min_length=8,
        max_length=12,
        pattern=SIP_PASSWORD,
        secret=True,
        group=_STATE,
        help="SIP password of small letters, digits, * and #; made up when none is given",
    )
    login: str | None = field(None, group=_STATE, deprecated="the service makes its own", help="Taken and ignored")


class SubscriberQuery(ListQuery):
    """How subscribers are listed."""

    DEFAULT_SORT: ClassVar = "shortNumber"

    sort_field: str | None = field("shortNumber", help="Field to sort by")


class PhoneNumberQuery(SubscriberQuery):
    """Filters of the list of extensions of a system."""

    short_number: str | None = field(None, help="The short number begins like this")
    internal_number: str | None = field(None, help="The internal number begins like this")
    pbx_user_id: str | None = field(None, help="Identifier at the CloudPBX")
    company_prefix: str | None = field(None, help="Prefix of the company")
    is_monitored: bool | None = field(None, help="Those whose line is followed, or the others")
    name: str | None = field(None, help="First, last or whole name begins like this")
    device_name: str | None = field(None, help="Part of the name of the device")
    is_assigned_to_user: bool | None = field(None, help="Those that a user has, or the free ones")


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
