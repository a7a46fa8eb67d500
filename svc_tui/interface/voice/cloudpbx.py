"""The CloudPBX: its settings, its record, and the parts that have their own operations (2.14)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.fields import SET, Needs, OwnField, field
from svc_tui.interface.records import Record, TextList
from svc_tui.interface.voice.access import (
    CLI_POLICIES,
    DEFAULT_DELAY,
    LANGUAGES,
    LINK_TRUNK,
    LONGEST_DELAY,
    PERMISSIONS,
    RESTRICTIONS,
    SHORTEST_DELAY,
    STATUSES,
    WRITE_VOICE,
    CliPolicy,
    DigitsLength,
    Forking,
    Forwarding,
    Language,
    LinePolicy,
    Permission,
    RecordingProfile,
    Restriction,
    Switch,
    TransferMode,
)
from svc_tui.interface.voice.numbering import range_conflict
from svc_tui.interface.voice.texts import HEADER_1, HEADER_2, Digits, Expression, SipHeader
from svc_tui.interface.voice.trunks import PeerAuthentication, TrunkInformation
from svc_tui.language import _

_ID, _PLAN, _TRUNK, _CODES = "Identity", "Numbering", _("External trunk"), _("Short and service codes")
_CALLS, _RIGHTS, _SIP, _SAFE = "Calls", "Rights", "SIP", "Emergency"

_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "group": _ID, "help": _("Name of the CloudPBX")}
_PREFIX: dict[str, Any] = {"ge": 0, "le": 999_999_999_999_999}
_DIGITS: dict[str, Any] = {"ge": 1, "le": 15}


class PlanRange(Record):
    """One range of the numbering plan: prefix 8 with 4 digits is 8000 to 8999."""

    prefix: Digits = field(..., help="First digits of its numbers")
    digits: int = field(..., **_DIGITS, help="Digits of a whole number, including the prefix")
    description: str | None = field(None, max_length=255, help="Purpose of the range")


def _without_clash(plan: list[PlanRange]) -> list[PlanRange]:
    if clashes := range_conflict([(each.prefix, each.digits) for each in plan]):
        raise ValueError(clashes)
    return plan


#: Ranges without a number that is the beginning of another range's number.
NumberingPlan = Annotated[list[PlanRange], AfterValidator(_without_clash)]


class DialingRule(Record):
    """A custom dialling rule: the part of a number that matches is replaced before the call."""

    regexp_match: Expression = field(..., help="Regular expression for the dialled number", personal=True)
    regexp_replace: str = field(..., max_length=255, help="Replacement of the match", personal=True)
    description: str | None = field(None, max_length=255, help="Purpose of the rule", personal=True)
    category: str | None = field(None, max_length=64, help="Kind of rule")


class ServiceCode(Record):
    """A code that is dialled for a service."""

    code: Digits = field(..., help="Digits after the prefix")
    service: str = field(..., min_length=1, max_length=255, help="Service that the code calls")


class ServiceCodes(Record):
    """The dial plan of service codes."""

    prefix: str | None = field(None, min_length=1, max_length=3, help="Prefix of every code")
    digits: int | None = field(None, ge=2, le=15, help="Digits of a code")
    service_codes: list[ServiceCode] | None = field(None, max_length=100, help="The codes")


class BargeOptions(Record):
    telephony_basic_attendant_barge_in: Switch | None = field(
        None, help="Whether attendants may join calls in progress"
    )


class BarringOptions(Record):
    """Permitted calls and prohibited numbers."""

    permissions: Permission | None = field(None, choices=PERMISSIONS, help="Permitted calls")
    restrictions: Restriction | None = field(None, choices=RESTRICTIONS, help="Prohibited numbers")


class CallForwardOptions(Record):
    external_call_forward: Forwarding | None = field(None, help="Whether calls may be forwarded to external numbers")


class EmergencyOptions(Record):
    call_authorization_with_soft_phone: bool | None = field(
        None, help="Whether emergency calls may be made with a soft phone"
    )
    emergency_group_activated: bool | None = field(None, help="Whether emergency calls alert a group")


class CliOptionsUpdate(Record):
    """Body of the update of the number that callees see (CLI)."""

    policy: CliPolicy | None = field(
        None,
        choices=CLI_POLICIES,
        help="Number that callees see",
    )
    user_can_manage_its_cli: bool | None = field(None, help="Whether users may choose this number themselves")
    company_number_can_be_selected_by_user_as_cli: bool | None = field(
        None, help="Whether users may choose the company's number"
    )


class CliOptions(CliOptionsUpdate):
    """The number that callees see."""

    number_e164: str | None = field(None, wire="numberE164", help="The company's number", personal=True)


class SettableFields(Record):
    """The fields of both the update and the record (4.7). All are optional."""

    language: Language | None = field("en", choices=LANGUAGES, group=_ID, help="Language of announcements")

    outgoing_prefix: int | None = field(
        None, **_PREFIX, group=_PLAN, help="Dialled before external numbers; required before a trunk is linked"
    )
    numbering_prefix: int | None = field(
        None, **_PREFIX, group=_PLAN, help="First digits of internal numbers; not the outgoing prefix"
    )
    numbering_prefixes: list[Digits] | None = field(
        None,
        max_length=100,
        group=_PLAN,
        help="Further prefixes of internal numbers; they require the number of digits",
    )
    numbering_digits: int | None = field(
        None, **_DIGITS, group=_PLAN, help="Digits of internal numbers, including the prefix"
    )
    numbering_digits_length: DigitsLength | None = field(
        None,
        group=_PLAN,
        help="Whether all internal numbers have that many digits; fixed requires the number of digits",
    )
    numbering_plan: NumberingPlan | None = field(
        None, max_length=100, group=_PLAN, help="Ranges of internal numbers, each with its own number of digits"
    )
    custom_dialing_rules: list[DialingRule] | None = field(
        None, max_length=100, group=_PLAN, help="Rules that change a dialled number; the first match applies"
    )

    external_trunk_id: str | None = field(
        None,
        setters=LINK_TRUNK,
        refers="externaltrunks",
        needs=Needs("outgoingPrefix", SET),
        group=_TRUNK,
        help="Trunk to the public network; requires an outgoing prefix",
    )
    route_internal_calls_to_peer: bool | None = field(
        None, group=_TRUNK, help="Whether internal calls to unassigned numbers go to the peer"
    )

    short_code_prefix: str | None = field("*", min_length=1, max_length=3, group=_CODES, help="Prefix of short codes")
    short_code_digits: int | None = field(4, ge=2, le=6, group=_CODES, help="Digits of a short code")
    service_codes_dial_plan: ServiceCodes | None = field(None, group=_CODES, help="Codes that call a service")

    telephony_line_policy: LinePolicy | None = field(
        None, group=_CALLS, help="Calls that a user can have at the same time"
    )
    monoline_incoming_mode: bool | None = field(
        None, group=_CALLS, help="Whether a user with one line is busy during a call"
    )
    call_forking_to_pstn_number: Forking | None = field(
        None, group=_CALLS, help="Whether calls also ring at an external number"
    )
    call_forward_options: CallForwardOptions | None = field(None, group=_CALLS, help="Forwarding of calls")
    aa_nb_of_repetitions: int | None = field(
        2,
        label="Attendant repetitions",
        ge=1,
        le=5,
        group=_CALLS,
        help="Repetitions of an automatic attendant's announcement",
    )

    barring_options: BarringOptions | None = field(None, group=_RIGHTS, help="Permitted calls")
    barge_options: BargeOptions | None = field(None, group=_RIGHTS, help="Joining calls in progress")

    custom_sip_header_1: SipHeader | None = field(None, **HEADER_1, group=_SIP, personal=True)
    custom_sip_header_2: SipHeader | None = field(None, **HEADER_2, group=_SIP, personal=True)
    sip_device_transfer_mode: TransferMode | None = field(None, group=_SIP, help="Transfer of calls by SIP devices")

    emergency_options: EmergencyOptions | None = field(None, group=_SAFE, help="Emergency calls")


class CloudPbxUpdate(SettableFields):
    """The update: the fields that change. Empty objects change nothing."""

    name: str | None = field(None, **_NAME)
    pbx_ldap_id: str | None = field(None, max_length=255, group=_ID, help="Directory for the lookup of names")


class CloudPbxCreation(Record):
    """A new CloudPBX."""

    company_id: str = field(..., refers="companies", group=_ID, help="Company; it has at most one CloudPBX")
    site_id: str | None = field(
        None, refers="sites", accepts={"companyId": OwnField("companyId")}, group=_ID, help="Site of the CloudPBX"
    )
    bp_id: str | None = field(
        None, refers="companies", accepts={"isBP": True}, group=_ID, help="BP that manages the CloudPBX"
    )
    name: str | None = field(None, **_NAME)
    language: Language | None = field(
        "en", choices=LANGUAGES, suggested="en", group=_ID, help="Language of announcements"
    )
    outgoing_prefix: int | None = field(None, **_PREFIX, group=_PLAN, help="Dialled before external numbers")
    numbering_prefix: int | None = field(
        None, **_PREFIX, group=_PLAN, help="First digits of internal numbers; not the outgoing prefix"
    )
    numbering_digits: int | None = field(
        None, **_DIGITS, group=_PLAN, help="Digits of internal numbers, including the prefix"
    )
    no_reply_delay: int | None = field(
        DEFAULT_DELAY,
        ge=SHORTEST_DELAY,
        le=LONGEST_DELAY,
        unit="s",
        suggested=DEFAULT_DELAY,
        group=_CALLS,
        help="Ringing time until a call overflows",
    )
    external_trunk_id: str | None = field(
        None, setters=LINK_TRUNK, refers="externaltrunks", group=_TRUNK, help="Trunk to the public network"
    )
    route_internal_calls_to_peer: bool | None = field(
        None, group=_TRUNK, help="Whether internal calls to unassigned numbers go to the peer"
    )
    custom_sip_header_1: SipHeader | None = field(None, **HEADER_1, group=_SIP)
    custom_sip_header_2: SipHeader | None = field(None, **HEADER_2, group=_SIP)


class VoicemailOverflow(Record):
    """Overflow of the subscribers' calls to voicemail."""

    activate: bool | None = field(None, label="Unanswered calls", help="Whether unanswered calls go to voicemail")
    no_reply_delay: int | None = field(
        DEFAULT_DELAY, ge=SHORTEST_DELAY, le=LONGEST_DELAY, unit="s", help="Ringing time until a call goes to voicemail"
    )
    activate_unavailable_overflow: bool | None = field(None, help="Whether calls to offline devices go to voicemail")


class CloudPbxSettings(SettableFields):
    """The settings of a CloudPBX in its record."""

    WHERE_APPLICABLE: ClassVar = ()

    installation_number: str | None = field(
        None, group=_PLAN, help="The company's number: the default DDI number", personal=True
    )
    installation_number_id: str | None = field(
        None, refers="ddis", group=_PLAN, help="Identifier of the company's number"
    )
    domain_name: str | None = field(None, group=_SIP, help="SIP domain")
    voice_number: str | None = field(None, group=_PLAN, help="Number of the voicemail", personal=True)
    external_trunk_additional_info: TrunkInformation | None = field(None, group=_TRUNK, help="The linked trunk")
    overflow_subscribers_to_voicemail: VoicemailOverflow | None = field(
        None, group=_CALLS, help="Overflow of calls to voicemail"
    )
    cli_options: CliOptions | None = field(None, group=_RIGHTS, help="The number that callees see")
    peer_authentication_options: PeerAuthentication | None = field(None, group=_SIP, help="Credentials of the peer")
    allow_cloud_pbx_recording: bool | None = field(
        None, deprecated="recording is enabled for each subscriber", group=_CALLS, help="Whether calls are recorded"
    )
    announcement_profile: RecordingProfile | None = field(
        None, group=_CALLS, help="Calls with an announcement that they are recorded"
    )
    optimized_dialing: bool | None = field(None, group=_PLAN, help="Whether numbers are dialled while they are typed")
    emulated_ring_back_tone: bool | None = field(
        None, group=_SIP, help="Whether callers hear an emulated ring-back tone"
    )
    pbx_ldap_id: str | None = field(None, group=_ID, help="Directory for the lookup of names")
    aa_nbb_of_repetitions: int | None = field(
        None,
        label="Attendant repetitions (old)",
        group=_CALLS,
        deprecated="replaced by Attendant repetitions",
        help="Repetitions of an automatic attendant's announcement",
    )


#: For those who may update the CloudPBX, and never in a list.
_JID_PASSWORD: dict[str, Any] = {"group": _ID, "secret": True, "readers": WRITE_VOICE, "only_in": ("get_cloudpbx",)}


class CloudPbx(Record):
    """A CloudPBX."""

    ALWAYS: ClassVar = ("id", "companyId", "status")
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, group=_ID, help="Identifier: the systemId of its records")
    type: str | None = field(None, group=_ID, choices={"cloud_pbx": "CloudPBX"}, help="Type of system")
    name: str | None = field(None, **_NAME)
    latin_name: str | None = field(None, wire="latin_name", group=_ID, help="The name in Latin letters")
    status: str | None = field(None, group=_ID, choices=STATUSES, help="Status of the connection")
    company_id: str | None = field(None, refers="companies", group=_ID, help="Company of the CloudPBX")
    site_id: TextList | None = field(None, refers="sites", group=_ID, help="Sites of the CloudPBX")
    bp_id: str | None = field(None, refers="companies", group=_ID, help="BP that manages the CloudPBX")
    country: str | None = field(None, group=_ID, codes=COUNTRIES, help="Country of its numbering plan")
    pbx_id: str | None = field(None, group=_ID, help="Technical identifier")
    voice_instance_id: str | None = field(None, group=_ID, help="Voice instance of the platform")
    creation_date: datetime | None = field(None, group=_ID, help="Creation date")
    status_updated_date: datetime | None = field(None, group=_ID, help="Date of the last change of the status")
    blocked_date: datetime | None = field(None, group=_ID, help="Date of blocking")
    jid_pbxagent: str | None = field(
        None, wire="jid_pbxagent", group=_ID, help="Messaging address of its agent", personal=True
    )
    jid_pbxagent_password: str | None = field(None, wire="jid_pbxagent_password", **_JID_PASSWORD)
    jid_pbxpcg: str | None = field(
        None, wire="jid_pbxpcg", group=_ID, help="Messaging address of its gateway", personal=True
    )
    jid_pbxpcg_password: str | None = field(None, wire="jid_pbxpcg_password", **_JID_PASSWORD)
    cloudpbx: CloudPbxSettings | None = field(None, group="Settings", help="Its settings")


class CloudPbxQuery(ListQuery):
    """Filters of the list of CloudPBXs."""

    DEFAULT_SORT: ClassVar = "companyId"

    company_id: str | None = field(None, refers="companies", help="CloudPBX of this company")
    bp_id: str | None = field(None, refers="companies", help="CloudPBXs of customers of this BP")
    sort_field: str | None = field("companyId", help="Field to sort by")


class CloudPbxDeletion(Record):
    """The options of a deletion."""

    force_delete: bool = field(False, help="Whether all its records are deleted too")


class EmergencyNumber(Record):
    number: str | None = field(None, personal=True)
    description: str | None = field(None, personal=True)


class EmergencyNumbers(EmergencyOptions):
    """The emergency numbers of the country, and the options for emergency calls."""

    numbers: list[EmergencyNumber] | None = field(None, help="Emergency numbers of the country")


__all__ = [
    "BargeOptions",
    "BarringOptions",
    "CallForwardOptions",
    "CliOptions",
    "CliOptionsUpdate",
    "CloudPbx",
    "CloudPbxCreation",
    "CloudPbxDeletion",
    "CloudPbxQuery",
    "CloudPbxSettings",
    "CloudPbxUpdate",
    "DialingRule",
    "EmergencyNumber",
    "EmergencyNumbers",
    "EmergencyOptions",
    "PlanRange",
    "ServiceCode",
    "ServiceCodes",
    "SettableFields",
    "VoicemailOverflow",
]
