"""Kinds of records of voice: CloudPBXs, subscribers, devices, numbers, recordings and welcome services."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.telephone_numbers import found_in
from svc_tui.interface.texts import mac_part
from svc_tui.interface.voice.call_route import loop_of
from svc_tui.interface.voice.numbering import new_contradictions, with_digits
from svc_tui.workspace.kinds.kind import Kind, PeriodFilter, PlanRules, ServerFilter
from svc_tui.workspace.kinds.search_rule import FollowUp, SearchRule

#: Fewest digits by which a MAC address is found in any notation; fewer are more likely something else.
_SHORTEST_MAC_PART = 4
#: A text that can be a part of a telephone number. Compiled when it is needed: the first screen loads this module.
_NUMBER_PART = r"[+(]?[\d()./*#-]*\d[\d()./*#-]*"


def in_telephone_number(text: str, value: Any, row: Mapping[str, Any]) -> bool:
    """Whether a number, or one of several, contains the digits typed in the notation of its country."""
    if not re.fullmatch(_NUMBER_PART, text):
        return False
    if isinstance(value, list):
        return any(in_telephone_number(text, each, row) for each in value)
    number = value.get("numberE164") or value.get("number") if isinstance(value, dict) else value
    if not isinstance(number, str):
        return False
    # The library of telephone numbers is loaded only when a number is searched.
    country = row.get("country")
    return found_in(text, number, country if isinstance(country, str) else None)


def in_mac_address(text: str, value: Any, row: Mapping[str, Any]) -> bool:
    """Whether a MAC address contains the digits typed, in any notation."""
    digits = mac_part(text)
    return len(digits) >= _SHORTEST_MAC_PART and isinstance(value, str) and digits in mac_part(value)


def _contradictions(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Why settings of the numbering plan do not go together."""
    return [f"{each.key}: {each.sentence}." for each in new_contradictions(before, after)]


_BY_NAME = {"name": ServerFilter("name")}
#: A recorded party has a name and a number.
_BY_PARTY = {
    "recordedParty": ServerFilter("recordedName", also=("recordedNumber",)),
    "otherParty": ServerFilter("otherNumber"),
}
_PARTIES = {"recordedParty": in_telephone_number, "otherParty": in_telephone_number}
#: Recordings, of one CloudPBX or of all companies.
_RECORDINGS: dict[str, Any] = {
    "parameter": "recordId",
    "text_column": "otherParty",
    "identifiers": ("fileName",),
    "server_filters": _BY_PARTY,
    "period_filters": {"date": PeriodFilter("fromDate", "toDate")},
    "matchers": _PARTIES,
}

KINDS = (
    Kind(
        "cloudpbxs",
        "list_cloudpbxs",
        "get_cloudpbx",
        parameter="systemId",
        text_column="name",
        server_filters={"companyId": ServerFilter("companyId", "whole"), "bpId": ServerFilter("bpId", "whole")},
        nested="cloudpbx",
        rules=PlanRules(contradictions=_contradictions, completed=with_digits),
    ),
    Kind(
        "subscribers",
        "list_system_phone_numbers",
        "get_subscriber",
        parameter="phoneNumberId",
        # No column shows the names of a subscriber's devices: `device:lobby`.
        identifiers=("internalNumber", "deviceName"),
        server_filters={"deviceName": ServerFilter("deviceName")},
        matchers={"externalNumber": in_telephone_number, "secondaryDDIs": in_telephone_number},
    ),
    Kind(
        "sipdevices",
        "list_sip_devices",
        "get_sip_device",
        parameter="deviceId",
        identifiers=("shortNumber",),
        matchers={"macAddress": in_mac_address},
    ),
    Kind(
        "ddis",
        "list_ddi_numbers",
        "get_ddi_number",
        parameter="phoneNumberId",
        identifiers=("number",),
        matchers={"numberE164": in_telephone_number},
    ),
    Kind(
        "registrations",
        "list_subscriber_registrations",
        "list_subscriber_registrations",
        parameter="registrationId",
    ),
    Kind(
        "deviceregistrations",
        "list_sip_device_registrations",
        "list_sip_device_registrations",
        parameter="registrationId",
    ),
    Kind(
        "recordings",
        "list_recordings",
        "get_recording",
        **_RECORDINGS,
    ),
    Kind(
        "allrecordings",
        "list_recordings_across_companies",
        "list_recordings_across_companies",
        **_RECORDINGS,
    ),
    Kind(
        "welcomeservices",
        "list_welcome_services",
        "list_welcome_services",
        parameter="ivrId",
        text_column="name",
        server_filters={**_BY_NAME, "externalNumber": ServerFilter("externalNumber")},
        matchers={"externalNumber": in_telephone_number, "secondaryDDIs": in_telephone_number},
        rules=PlanRules(loop=loop_of),
    ),
    Kind(
        "officehours",
        "list_office_hours",
        "get_office_hours",
        parameter="officeHoursId",
        text_column="name",
        server_filters=_BY_NAME,
    ),
    Kind(
        "welcomes",
        "list_welcomes",
        "get_welcome",
        parameter="welcomeId",
        text_column="name",
        server_filters=_BY_NAME,
    ),
    Kind(
        "externaltrunks",
        "list_external_trunks",
        "get_external_trunk",
        parameter="externalTrunkId",
        text_column="name",
    ),
)
PARTS = (
    Kind("subscriberbarring", "get_subscriber", "get_subscriber", nested="barringOptions"),
    Kind("subscriberforward", "get_subscriber", "get_subscriber", nested="callForwardOptions"),
)
SEARCH_RULES = (
    SearchRule(
        "subscribers",
        order=20,
        asks={"extension": "shortNumber", "name": "name"},
        holds={
            "extension": ("shortNumber", "internalNumber"),
            "number": ("externalNumber", "secondaryDDIs"),
            "name": ("names", "deviceName"),
        },
        within="cloudpbxs",
        follows=(
            FollowUp("users", takes="displayName", parameter="name", field="userId"),
            FollowUp("ddis", takes="names", parameter="name", field="userId", same="userId"),
            FollowUp("sipdevices", takes="userDisplayName", parameter="name", field="userId", same="userId"),
        ),
        shows=("shortNumber", "externalNumber"),
    ),
    SearchRule(
        "ddis",
        order=21,
        holds={"number": ("numberE164",)},
        sorted_by={"number": "numberE164"},
        within="cloudpbxs",
        shows=("names",),
        taken={Code.DDI_ELSEWHERE: "number", Code.DDI_EXISTS: "number"},
        holder=("names",),
    ),
    SearchRule(
        "sipdevices",
        order=22,
        holds={"mac": ("macAddress",), "name": ("description", "userDisplayName")},
        sorted_by={"mac": "macAddress"},
        within="cloudpbxs",
        follows=(FollowUp("subscribers", takes="id", parameter="phoneNumberId", field="phoneNumberId"),),
        shows=("macAddress", "userDisplayName"),
        taken={Code.MAC_USED: "macAddress", Code.DEVICE_ELSEWHERE: "macAddress"},
        holder=("description", "shortNumber"),
    ),
    SearchRule(
        "welcomeservices",
        order=24,
        asks={"name": "name"},
        holds={"number": ("externalNumber", "secondaryDDIs"), "name": ("name",)},
        within="cloudpbxs",
        # One request for each CloudPBX less than by its filter for numbers.
        follows=(FollowUp("ddis", takes="names", parameter="name", field="id", same="ivrId"),),
        shows=("externalNumber",),
    ),
    SearchRule(
        "recordings",
        order=60,
        asks={"number": "otherNumber", "extension": "recordedNumber", "name": "recordedName"},
        holds={
            "number": ("otherParty.number",),
            "extension": ("recordedParty.number",),
            "name": ("recordedParty.name",),
        },
        within="cloudpbxs",
        follows=(FollowUp("subscribers", takes="id", parameter="phoneNumberId", most=3),),
        shows=("recordedParty.name", "otherParty.number"),
    ),
    SearchRule(
        "allrecordings",
        order=61,
        asks={"number": "otherNumber", "extension": "recordedNumber", "name": "recordedName"},
        within="cloudpbxs",
        together="systemIds",
        instead="recordings",
        shows=("recordedParty.name", "otherParty.number"),
    ),
    SearchRule(
        "externaltrunks",
        order=26,
        read=True,
        holds={"name": ("name", "description")},
        shows=("trunkType", "status"),
    ),
    SearchRule(
        "cloudpbxs",
        order=25,
        holds={"name": ("name",)},
        follows=(FollowUp("companies", takes="id", parameter="companyId"),),
        shows=("status",),
    ),
)
