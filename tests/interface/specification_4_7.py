"""Sections 4.7, 2.14 to 2.17 and 8 of voice, by hand from the text: what bodies take and refuse, and who may call.

Nothing here is read from the declaration: a mistake there must show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Value:
    """One field of a body. `default` is what the text says that it has when nothing is given."""

    accepted: tuple[Any, ...]
    refused: tuple[Any, ...]
    default: Any = None
    required: bool = False


def _one(*values: str, default: Any = None, required: bool = False) -> Value:
    return Value(values, ("other", values[0].swapcase() + "?", "", 1, [values[0]]), default, required)


def _between(low: int, high: int, default: Any = None) -> Value:
    return Value((low, low + 1, high), (low - 1, high + 1, "many", low + 0.5, [low]), default)


def _object(part: str, *values: Any, refused: tuple[Any, ...]) -> Value:
    """An object with one part; the empty object changes nothing."""
    return Value(({}, *({part: value} for value in values)), (*({part: value} for value in refused), "x", [1]))


def _text() -> Value:
    return Value(("x", "value of it"), (5, ["x"], {"a": 1}))


#: A name, a colon and a value.
_HEADER = Value(("X-Tenant: value of it", "X-Tenant:", ""), ("x", "From: x", 5, ["x"], {"a": 1}))
_BOOLEAN = Value((True, False), ("maybe", 2, []))
_NUMBER = Value((0, 8, 90), ("eight", -1, 1.5, []))
_DIGITS = Value((1, 4, 10), ("four", 0, -1, 2.5))
_LANGUAGES = ("ro", "es", "it", "de", "fr", "en", "ar", "he", "nl", "pt_br")
_ID = Value(("a1" * 12,), (5, ["x"]))
#: In any common notation, and none.
_MAC = Value(("00:1b:2c:3d:4e:5f", "00-1B-2C-3D-4E-5F", "001b.2c3d.4e5f", ""), ("x", "00:1b:2c:3d:4e", 5, ["x"]))


def _required(value: Value) -> Value:
    return Value(value.accepted, value.refused, value.default, required=True)


_PLAN = Value(
    ([], [{"prefix": "8", "digits": 4}], [{"prefix": 8, "digits": 4, "description": "Sales"}]),
    ([{"prefix": "8"}], [{"digits": 4}], [{"prefix": "x", "digits": 4}], [{"prefix": "8", "digits": "a"}], {"a": 1}, 5),
)
_SERVICE_CODES = Value(
    (
        {},
        {"digits": 2},
        {"digits": 3, "prefix": "*", "serviceCodes": [{"code": "01", "service": "voicemail"}]},
        {"serviceCodes": []},
    ),
    ({"digits": 1}, {"digits": "x"}, {"serviceCodes": [{"code": "01"}]}, {"serviceCodes": [{"service": "x"}]}, "x"),
)
_RULES = Value(
    ([], [{"regexpMatch": "^0(.*)$", "regexpReplace": "+49\\1", "description": "d", "category": "c"}]),
    ([{"regexpMatch": "("}], [{"regexpMatch": "(", "regexpReplace": ""}], "x", 5),
)
_BARRING = Value(
    (
        {},
        *({"permissions": value} for value in ("local", "nat_local", "int_nat_local")),
        *({"restrictions": value} for value in ("no_restriction", "surcharged_numbers", "custom_numbers")),
    ),
    ({"permissions": "default"}, {"permissions": "other"}, {"restrictions": "other"}, "local", 5),
)
_EMERGENCY = Value(
    ({}, {"callAuthorizationWithSoftPhone": True, "emergencyGroupActivated": False}),
    ({"callAuthorizationWithSoftPhone": "maybe"}, {"emergencyGroupActivated": 5}, "x"),
)
_RECORDING = _required(_one("internal_only", "external_only", "all", "none"))
_PATTERNS = Value(
    ([], [{"pattern": "0900"}], [{"pattern": "0900", "description": "dear"}]),
    ([{"description": "dear"}], [{"pattern": ""}], "0900", 5, [5]),
    required=True,
)
_OVERFLOW = ({"type": "user", "destinationId": "a1" * 12, "toVoicemail": True}, {"type": "closed_hours"})
_NO_OVERFLOW = ({}, {"type": "other"}, {"type": "user", "toVoicemail": "maybe"}, "user", 5)

#: Operation -> field of its body -> what it takes.
BODIES: dict[str, dict[str, Value]] = {
    "create_cloudpbx": {
        "companyId": _required(_ID),
        "siteId": _ID,
        "bpId": _ID,
        "name": _text(),
        "language": _one(*_LANGUAGES, default="en"),
        "externalTrunkId": _ID,
        "outgoingPrefix": _NUMBER,
        "numberingPrefix": _NUMBER,
        "numberingDigits": _DIGITS,
        "noReplyDelay": _between(10, 60, default=20),
        "routeInternalCallsToPeer": _BOOLEAN,
        "customSipHeader_1": _HEADER,
        "customSipHeader_2": _HEADER,
    },
    "update_cloudpbx": {
        "aaNbOfRepetitions": _between(1, 5, default=2),
        "bargeOptions": _object(
            "telephonyBasicAttendantBargeIn", "enabled", "disabled", refused=("company_policy", "other", True)
        ),
        "barringOptions": _BARRING,
        "callForkingToPstnNumber": _one("not_available", "not_activated", "activated"),
        "callForwardOptions": _object(
            "externalCallForward", "authorized", "not_authorized", refused=("company_policy", "other", True)
        ),
        "customSipHeader_1": _HEADER,
        "customSipHeader_2": _HEADER,
        "emergencyOptions": _EMERGENCY,
        "externalTrunkId": _ID,
        "language": _one(*_LANGUAGES, default="en"),
        "monolineIncomingMode": _BOOLEAN,
        "name": _text(),
        "numberingDigits": _DIGITS,
        "numberingDigitsLength": _one("fixed", "variable"),
        "numberingPlan": _PLAN,
        "numberingPrefix": _NUMBER,
        "numberingPrefixes": Value(([], ["8"], ["8", "90", "007"]), (["x"], [""], "8", 8, [None])),
        "outgoingPrefix": _NUMBER,
        "pbxLdapId": _text(),
        "routeInternalCallsToPeer": _BOOLEAN,
        "serviceCodesDialPlan": _SERVICE_CODES,
        "shortCodeDigits": _between(2, 6, default=4),
        "shortCodePrefix": Value(("*", "**", "*#1"), ("", "****", 5), "*"),
        "sipDeviceTransferMode": _one("new_call", "attended_transfer", "blind_transfer", "optional"),
        "telephonyLinePolicy": _one("mono_line", "multi_lines", "multi_lines_plus"),
        # Not in the list of 4.7; it stands in the record of 2.14 only.
        "customDialingRules": _RULES,
    },
    "replace_cloudpbx_custom_numbers_restriction": {"patterns": _PATTERNS},
    "update_cloudpbx_cli_options": {
        "policy": _one("installation_ddi_number", "user_ddi_number"),
        "userCanManageItsCli": _BOOLEAN,
        "companyNumberCanBeSelectedByUserAsCli": _BOOLEAN,
    },
    "create_ddi_number": {"number": _required(Value(("+4930123456", "030 123456"), ("", 5, [])))},
    "create_subscriber": {
        "shortNumber": _required(Value(("8001", "0"), ("", "80a1", "+49", " 80", 8001))),
        "userId": _required(_ID),
        "password": Value(
            ("abcdef12", "abc*def#1234", "********"), ("abcdef1", "abcdefgh12345", "Abcdef12", "abc def1")
        ),
        "login": _text(),
    },
    "assign_device_to_subscriber": {"deviceId": _ID, "macAddress": _MAC, "deviceTypeId": _ID},
    "update_subscriber_pstn_device_options": {
        "policy": _required(_one("company_policy", "none", "subscriber_ddi", "custom_ddi_number")),
        "numberE164": _text(),
    },
    "update_subscriber_sip_headers": {"customSipHeader_1": _HEADER, "customSipHeader_2": _HEADER},
    "update_subscriber_barge_options": {
        "telephonyBasicAttendantBargeIn": _required(_one("enabled", "disabled", "company_policy"))
    },
    "update_subscriber_barring": {
        "permissions": _one("default", "local", "nat_local", "int_nat_local"),
        "restrictions": _one("default", "no_restriction", "surcharged_numbers", "custom_numbers"),
    },
    "update_subscriber_call_forward": {
        "externalCallForward": _required(_one("company_policy", "authorized", "not_authorized"))
    },
    "update_subscriber_overflow": {
        "value": _required(_one("default", "custom", "disabled")),
        "unavailableOverflow": _required(_one("default", "custom", "disabled")),
        "noReplyDelay": _between(10, 60),
    },
    "set_subscriber_recording_profile": {"recordingProfile": _RECORDING},
    "create_sip_device": {"deviceTypeId": _required(_ID), "description": _text(), "macAddress": _MAC},
    "update_sip_device": {"description": _text(), "macAddress": _MAC},
    # The name of the field and its keys are not shown.
    "add_sip_device_expansion_module": {
        "type": _required(_one("EM_20", "EM_200")),
        "keys": Value(
            ([], [{"position": 1, "label": "Reception", "number": "8000"}]),
            ([{"position": 0}], [{"label": "x"}], "x", 5),
        ),
    },
    "set_recording_announcement_profile": {"announcementProfile": _RECORDING},
    "create_welcome_service": {
        "name": _required(Value(("Reception",), ("", 5))),
        "openHoursOverflow": _required(Value(_OVERFLOW, _NO_OVERFLOW)),
        "closedHoursOverflow": Value((*_OVERFLOW, {"type": "number", "number": "+4930123456"}), _NO_OVERFLOW),
        "companyCalendarId": _ID,
        "externalNumberId": _ID,
        "secondaryDDIs": Value(([], [{"phoneNumberId": "a1" * 12}]), ([{}], ["x"], "x")),
        "welcomeId": _ID,
        # Only shown in the record of 2.17.
        "manualMode": Value(
            ({"mode": "default"}, {"mode": "open", "endDate": "2026-01-01T00:00:00Z"}), ({"mode": "x"}, 5)
        ),
    },
    "create_welcome": {"name": _required(Value(("Hello",), ("", 5)))},
    "create_office_hours": {
        "name": _required(Value(("Office",), ("", 5))),
        "officehours": Value(
            (
                {},
                {"openhours": [[], *[[["08:30", "12:00"], ["13:00", "17:30"]]] * 5, []]},
                {"openhours": [[["00:00", "24:00"]]] * 7, "exceptions": []},
                {
                    "exceptions": [
                        {"year": 2026, "month": 12, "mday": 24, "periods": [["08:00", "12:00"]], "open": True}
                    ]
                },
                {"exceptions": [{"month": 1, "mday": 1, "periods": [], "open": False}]},
            ),
            (
                {"openhours": [[]] * 6},
                {"openhours": [[]] * 8},
                {"openhours": [[["8:30", "12:00"]], *[[]] * 6]},
                {"openhours": [[["08:30", "25:00"]], *[[]] * 6]},
                {"openhours": [[["08:30", "12:60"]], *[[]] * 6]},
                {"openhours": [[["12:00", "08:30"]], *[[]] * 6]},
                {"openhours": [[["08:30"]], *[[]] * 6]},
                {"openhours": [[["08:00", "12:00"], ["11:00", "13:00"]], *[[]] * 6]},
                {"exceptions": [{"month": 13, "mday": 1}]},
                {"exceptions": [{"month": 0, "mday": 1}]},
                {"exceptions": [{"month": 1, "mday": 32}]},
                {"exceptions": [{"month": 1, "mday": 0}]},
                5,
            ),
        ),
    },
}
#: The same as at the creation, with nothing required.
BODIES["update_welcome_service"] = {
    wire: Value(value.accepted, value.refused) for wire, value in BODIES["create_welcome_service"].items()
}
BODIES["update_office_hours"] = {
    wire: Value(value.accepted, value.refused) for wire, value in BODIES["create_office_hours"].items()
}

#: Defaults of the lists of 4.7: (limit, offset, sortField, sortOrder).
LISTS: dict[str, tuple[int, int, str, int]] = {
    "list_cloudpbxs": (100, 0, "companyId", 1),
    "list_ddi_numbers": (100, 0, "number", 1),
    "list_subscribers": (100, 0, "shortNumber", 1),
    "list_system_phone_numbers": (100, 0, "shortNumber", 1),
    "list_subscriber_devices": (100, 0, "shortNumber", 1),
    "list_sip_devices": (100, 0, "description", 1),
    "list_recordings": (100, 0, "date", -1),
    "list_recordings_across_companies": (100, 0, "date", -1),
}

Who = dict[str, str]
#: "Access for reads" and "Updates" of 4.7: role -> how far it reaches.
READS: Who = {
    "superadmin": "any",
    "support": "any",
    "bp_admin": "end_customers",
    "organization_admin": "organisation",
    "company_admin": "own_company",
    "site_admin": "site",
}
UPDATES: Who = {role: reach for role, reach in READS.items() if role not in ("support", "site_admin")}
#: "the activation is by a company admin; only the end customer admin consults recordings"
OWN_ADMIN: Who = {"company_admin": "own_company"}

#: Operations that are neither reads nor updates in the sense of the two above.
OTHERS: dict[str, Who] = {
    "set_subscriber_recording_profile": OWN_ADMIN,
    "set_recording_announcement_profile": OWN_ADMIN,
    "list_recordings": OWN_ADMIN,
    "get_recording": OWN_ADMIN,
    "delete_recordings": OWN_ADMIN,
    "list_recordings_across_companies": {"superadmin": "any", "organization_admin": "organisation"},
    "list_external_trunks": {"superadmin": "any", "bp_admin": "own_company"},
    "get_external_trunk": {"superadmin": "any", "bp_admin": "own_company"},
}
DEPRECATED = {
    "list_welcomes",
    "create_welcome",
    "get_welcome",
    "list_office_hours",
    "create_office_hours",
    "get_office_hours",
    "update_office_hours",
}
