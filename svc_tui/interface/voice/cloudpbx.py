"""The CloudPBX: what may be set of it, what is read of it, and the parts that have operations of their own (2.14)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator

from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.records import SET, Needs, Record, TextList, field
from svc_tui.interface.text_patterns import ONE_LINE
from svc_tui.interface.voice.access import LINK_TRUNK
from svc_tui.interface.voice.kinds import (
    DEFAULT_DELAY,
    LANGUAGES,
    LONGEST_DELAY,
    PERMISSIONS,
    RESTRICTIONS,
    SHORTEST_DELAY,
    CliPolicy,
    Digits,
    DigitsLength,
    Expression,
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
from svc_tui.interface.voice.numbering import clash

_ID, _PLAN, _TRUNK, _CODES = "Identity", "Numbering", "External trunk", "Short and service codes"
_CALLS, _RIGHTS, _SIP, _SAFE = "Calls", "Rights", "SIP", "Emergency"

_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "group": _ID, "help": "Name of the CloudPBX"}
_PREFIX: dict[str, Any] = {"ge": 0, "le": 999_999_999_999_999}
_DIGITS: dict[str, Any] = {"ge": 1, "le": 15}


class PlanRange(Record):
    """One range of the numbering plan: prefix 8 with 4 digits is 8000 to 8999."""

    prefix: Digits = field(..., help="Digits that its numbers begin with")
    digits: int = field(..., **_DIGITS, help="Digits of a whole number, those of the prefix among them")
    description: str | None = field(None, max_length=255, help="What the range is for")


def _without_clash(plan: list[PlanRange]) -> list[PlanRange]:
    if clashes := clash([(each.prefix, each.digits) for each in plan]):
        raise ValueError(clashes)
    return plan


#: Ranges of which none has numbers that are the beginning of another's.
NumberingPlan = Annotated[list[PlanRange], AfterValidator(_without_clash)]


class DialingRule(Record):
    """A custom dialling rule: what matches is replaced before the call goes out."""

    regexp_match: Expression = field(..., help="Regular expression that the dialled number must match")
    regexp_replace: str = field(..., max_length=255, help="What the match becomes")
    description: str | None = field(None, max_length=255, help="What the rule is for")
    category: str | None = field(None, max_length=64, help="Kind of rule")


class ServiceCode(Record):
    """A code, and the service that dialling it reaches."""

    code: Digits = field(..., help="Digits behind the prefix")
    service: str = field(..., min_length=1, max_length=255, help="What it reaches")


class ServiceCodes(Record):
    """The dial plan of service codes."""

    prefix: str | None = field(None, min_length=1, max_length=3, help="What stands before every code")
    digits: int | None = field(None, ge=2, le=15, help="Digits of a code")
    service_codes: list[ServiceCode] | None = field(None, max_length=100, help="The codes")


class BargeOptions(Record):
    telephony_basic_attendant_barge_in: Switch | None = field(
        None, help="Whether attendants may join calls that are going on"
    )


class BarringOptions(Record):
    """Which calls may be made."""

    permissions: Permission | None = field(None, choices=PERMISSIONS, help="Which calls may be made")
    restrictions: Restriction | None = field(None, choices=RESTRICTIONS, help="Which numbers are prohibited")


class CallForwardOptions(Record):
    external_call_forward: Forwarding | None = field(None, help="Whether calls may be forwarded to outside")


class EmergencyOptions(Record):
    call_authorization_with_soft_phone: bool | None = field(
        None, help="Whether emergency calls may be made with a soft phone"
    )
    emergency_group_activated: bool | None = field(None, help="Whether a group is alarmed by emergency calls")


class CliOptionsUpdate(Record):
    """Body of the update of the number that callees see (CLI)."""

    policy: CliPolicy | None = field(
        None,
        choices={"installation_ddi_number": "the company's number", "user_ddi_number": "the user's own number"},
        help="Which number callees see",
    )
    user_can_manage_its_cli: bool | None = field(None, help="Whether users may choose it themselves")
    company_number_can_be_selected_by_user_as_cli: bool | None = field(
        None, help="Whether they may choose the company's number"
    )


class CliOptions(CliOptionsUpdate):
    """The number that callees see."""

    number_e164: str | None = field(None, wire="numberE164", help="The company's number")


class SettableFields(Record):
    """What both an update takes and the CloudPBX shows (4.7). Every field here is optional."""

    language: Language | None = field("en", choices=LANGUAGES, group=_ID, help="Language of announcements")

    outgoing_prefix: int | None = field(
        None, **_PREFIX, group=_PLAN, help="Dialled before numbers outside; needed before a trunk is linked"
    )
    numbering_prefix: int | None = field(
        None, **_PREFIX, group=_PLAN, help="What internal numbers begin with; not the outgoing prefix"
    )
    numbering_prefixes: list[Digits] | None = field(
        None, max_length=100, group=_PLAN, help="Further prefixes of internal numbers; with them digits are needed"
    )
    numbering_digits: int | None = field(
        None, **_DIGITS, group=_PLAN, help="Digits of internal numbers, those of the prefix among them"
    )
    numbering_digits_length: DigitsLength | None = field(
        None, group=_PLAN, help="Whether all internal numbers have that many digits; fixed needs the digits"
    )
    numbering_plan: NumberingPlan | None = field(
        None, max_length=100, group=_PLAN, help="Ranges of internal numbers, each with digits of its own"
    )
    custom_dialing_rules: list[DialingRule] | None = field(
        None, max_length=100, group=_PLAN, help="Rules that change a dialled number, the first that matches"
    )

    external_trunk_id: str | None = field(
        None,
        setters=LINK_TRUNK,
        refers="externaltrunks",
        needs=Needs("outgoingPrefix", SET),
        group=_TRUNK,
        help="Trunk to the public network; only when there is an outgoing prefix",
    )
    route_internal_calls_to_peer: bool | None = field(
        None, group=_TRUNK, help="Internal calls to numbers that nobody has go to the peer"
    )

    short_code_prefix: str | None = field(
        "*", min_length=1, max_length=3, group=_CODES, help="What stands before a short code"
    )
    short_code_digits: int | None = field(4, ge=2, le=6, group=_CODES, help="Digits of a short code")
    service_codes_dial_plan: ServiceCodes | None = field(None, group=_CODES, help="Codes that reach a service")

    telephony_line_policy: LinePolicy | None = field(None, group=_CALLS, help="How many calls a user has at a time")
    monoline_incoming_mode: bool | None = field(
        None, group=_CALLS, help="Whether a user with one line is busy while he has a call"
    )
    call_forking_to_pstn_number: Forking | None = field(
        None, group=_CALLS, help="Whether calls also ring at a number outside"
    )
    call_forward_options: CallForwardOptions | None = field(None, group=_CALLS, help="Forwarding of calls")
    aa_nb_of_repetitions: int | None = field(
        2,
        label="AA repetitions",
        ge=1,
        le=5,
        group=_CALLS,
        help="How often an automatic attendant repeats its announcement",
    )

    barring_options: BarringOptions | None = field(None, group=_RIGHTS, help="Which calls may be made")
    barge_options: BargeOptions | None = field(None, group=_RIGHTS, help="Joining calls that are going on")

    custom_sip_header_1: str | None = field(
        None, wire="customSipHeader_1", max_length=255, pattern=ONE_LINE, group=_SIP, help="Header added to calls"
    )
    custom_sip_header_2: str | None = field(
        None,
        wire="customSipHeader_2",
        max_length=255,
        pattern=ONE_LINE,
        group=_SIP,
        help="A second header added to calls",
    )
    sip_device_transfer_mode: TransferMode | None = field(None, group=_SIP, help="How SIP devices transfer a call")

    emergency_options: EmergencyOptions | None = field(None, group=_SAFE, help="Emergency calls")


class CloudPbxUpdate(SettableFields):
    """Body of the update: the fields that change. Empty objects change nothing."""

    name: str | None = field(None, **_NAME)
    pbx_ldap_id: str | None = field(None, max_length=255, group=_ID, help="Directory that names are looked up in")


class CloudPbxCreation(Record):
    """Body of the creation."""

    company_id: str = field(..., refers="companies", group=_ID, help="The company; it has one CloudPBX at most")
    site_id: str | None = field(None, refers="sites", group=_ID, help="The site it stands at")
    bp_id: str | None = field(None, refers="companies", group=_ID, help="The BP that manages it")
    name: str | None = field(None, **_NAME)
    language: Language | None = field(
        "en", choices=LANGUAGES, suggested="en", group=_ID, help="Language of announcements"
    )
    outgoing_prefix: int | None = field(None, **_PREFIX, group=_PLAN, help="Dialled before numbers outside")
    numbering_prefix: int | None = field(
        None, **_PREFIX, group=_PLAN, help="What internal numbers begin with; not the outgoing prefix"
    )
    numbering_digits: int | None = field(
        None, **_DIGITS, group=_PLAN, help="Digits of internal numbers, those of the prefix among them"
    )
    no_reply_delay: int | None = field(
        DEFAULT_DELAY,
        ge=SHORTEST_DELAY,
        le=LONGEST_DELAY,
        unit="s",
        suggested=DEFAULT_DELAY,
        group=_CALLS,
        help="How long a call rings before it goes on",
    )
    external_trunk_id: str | None = field(
        None, setters=LINK_TRUNK, refers="externaltrunks", group=_TRUNK, help="Trunk to the public network"
    )
    route_internal_calls_to_peer: bool | None = field(
        None, group=_TRUNK, help="Internal calls to numbers that nobody has go to the peer"
    )
    custom_sip_header_1: str | None = field(
        None, wire="customSipHeader_1", max_length=255, pattern=ONE_LINE, group=_SIP, help="Header added to calls"
    )
    custom_sip_header_2: str | None = field(
        None,
        wire="customSipHeader_2",
        max_length=255,
        pattern=ONE_LINE,
        group=_SIP,
        help="A second header added to calls",
    )


class VoicemailOverflow(Record):
    """When the calls of subscribers go to their voicemail."""

    activate: bool | None = field(None, help="Whether unanswered calls go to voicemail")
    no_reply_delay: int | None = field(
        DEFAULT_DELAY, ge=SHORTEST_DELAY, le=LONGEST_DELAY, unit="s", help="How long a call rings before it does"
    )
    activate_unavailable_overflow: bool | None = field(None, help="Whether calls to devices that are off go too")


class PeerAuthentication(Record):
    """How the peer proves who it is."""

    NEVER: ClassVar = ("password",)

    username: str | None = None
    password: str | None = field(None, secret=True)
    realm: str | None = None


class TrunkInformation(Record):
    """What is told of the linked trunk."""

    id: str | None = field(None, refers="externaltrunks")
    name: str | None = None
    status: str | None = None
    description: str | None = None
    trunk_type: str | None = None
    locked: bool | None = field(None, help="Whether the trunk of this CloudPBX is fixed")


class CloudPbxSettings(SettableFields):
    """The settings of a CloudPBX as they are read."""

    installation_number: str | None = field(None, group=_PLAN, help="The company's number: the default DDI number")
    installation_number_id: str | None = field(None, refers="ddis", group=_PLAN, help="Its identifier")
    domain_name: str | None = field(None, group=_SIP, help="SIP domain")
    voice_number: str | None = field(None, group=_PLAN, help="Number of the voicemail")
    external_trunk_additional_info: TrunkInformation | None = field(None, group=_TRUNK, help="The linked trunk")
    overflow_subscribers_to_voicemail: VoicemailOverflow | None = field(
        None, group=_CALLS, help="When calls go to voicemail"
    )
    cli_options: CliOptions | None = field(None, group=_RIGHTS, help="The number that callees see")
    peer_authentication_options: PeerAuthentication | None = field(None, group=_SIP, help="Login of the peer")
    allow_cloud_pbx_recording: bool | None = field(
        None, deprecated="recording is switched on for each subscriber", group=_CALLS, help="Record calls"
    )
    announcement_profile: RecordingProfile | None = field(
        None, group=_CALLS, help="Calls whose parties are told that they are recorded"
    )
    optimized_dialing: bool | None = field(None, group=_PLAN, help="Whether numbers are dialled as they are typed")
    emulated_ring_back_tone: bool | None = field(None, group=_SIP, help="Whether callers hear a tone of our own")
    pbx_ldap_id: str | None = field(None, group=_ID, help="Directory that names are looked up in")
    aa_nbb_of_repetitions: int | None = field(
        None,
        label="AA repetitions (old name)",
        group=_CALLS,
        deprecated="the same as aaNbOfRepetitions",
        help="Repetitions of an automatic attendant",
    )


class CloudPbx(Record):
    """A CloudPBX as it is read."""

    NEVER: ClassVar = ("jid_pbxagent_password", "jid_pbxpcg_password")

    id: str | None = field(None, group=_ID, help="Identifier: the systemId of everything that belongs to it")
    type: str | None = field(None, group=_ID, help="Kind of system: cloud_pbx")
    name: str | None = field(None, **_NAME)
    latin_name: str | None = field(None, wire="latin_name", group=_ID, help="The name in Latin letters")
    status: str | None = field(None, group=_ID, help="State: created is shown as connected")
    company_id: str | None = field(None, refers="companies", group=_ID, help="The company that it serves")
    site_id: TextList | None = field(None, refers="sites", group=_ID, help="The sites that it serves")
    bp_id: str | None = field(None, refers="companies", group=_ID, help="The BP that manages it")
    country: str | None = field(None, group=_ID, help="Country whose numbering it follows")
    pbx_id: str | None = field(None, group=_ID, help="Technical identifier")
    voice_instance_id: str | None = field(None, group=_ID, help="Where in the platform it runs")
    creation_date: datetime | None = field(None, group=_ID, help="When it was created")
    status_updated_date: datetime | None = field(None, group=_ID, help="When its state changed last")
    blocked_date: datetime | None = field(None, group=_ID, help="When it was blocked")
    jid_pbxagent: str | None = field(None, wire="jid_pbxagent", group=_ID, help="Messaging address of its agent")
    jid_pbxagent_password: str | None = field(None, wire="jid_pbxagent_password", group=_ID, secret=True)
    jid_pbxpcg: str | None = field(None, wire="jid_pbxpcg", group=_ID, help="Messaging address of its gateway")
    jid_pbxpcg_password: str | None = field(None, wire="jid_pbxpcg_password", group=_ID, secret=True)
    cloudpbx: CloudPbxSettings | None = field(None, group="Settings", help="Its settings")


class CloudPbxQuery(ListQuery):
    """Filters of the list of CloudPBXs."""

    DEFAULT_SORT: ClassVar = "companyId"

    company_id: str | None = field(None, refers="companies", help="The CloudPBX of this company")
    bp_id: str | None = field(None, refers="companies", help="CloudPBXs of customers of this BP")
    sort_field: str | None = field("companyId", help="Field to sort by")


class CloudPbxDeletion(Record):
    """How a CloudPBX is deleted."""

    force_delete: bool = field(False, help="With everything that belongs to it")


class BarringChoice(Record):
    """An id that barring can have, and what it means."""

    id: str | None = None
    description: str | None = None


class BarringChoices(Record):
    """What the barring of a CloudPBX can be."""

    permissions: list[BarringChoice] | None = field(None, help="Which calls can be permitted")
    restrictions: list[BarringChoice] | None = field(None, help="Which numbers can be prohibited")


class ProhibitedNumber(Record):
    """A number, or the beginning of numbers, that must not be called."""

    pattern: str = field(..., min_length=1, max_length=64, help="Number or beginning of numbers")
    description: str | None = field(None, max_length=255, help="Why")


class ProhibitedNumbers(Record):
    """The custom list of prohibited numbers; sent as the complete new list."""

    patterns: list[ProhibitedNumber] = field(
        ..., max_length=1000, unique="pattern", help="Numbers, or beginnings of numbers, that must not be called"
    )


class EmergencyNumber(Record):
    number: str | None = None
    description: str | None = None


class EmergencyNumbers(EmergencyOptions):
    """Numbers that are always put through, and how emergency calls are treated."""

    numbers: list[EmergencyNumber] | None = field(None, help="The emergency numbers of the country")


__all__ = [
    "BargeOptions",
    "BarringChoice",
    "BarringChoices",
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
    "ProhibitedNumber",
    "ProhibitedNumbers",
    "ServiceCode",
    "ServiceCodes",
    "SettableFields",
    "VoicemailOverflow",
]
