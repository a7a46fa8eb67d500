"""The tables of voice: CloudPBXs and what belongs to them (2.14 to 2.17)."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.server.store.tables import ColumnType, Document, Key, declare


@dataclass(frozen=True, slots=True)
class NestedKey(Key):
    """A field inside another one: `path` leads there."""

    path: tuple[str, ...] = ()

    def value(self, document: Document) -> str | bool | None:
        found: object = document
        for name in self.path:
            found = found.get(name) if isinstance(found, dict) else None
        return Key.value(self, {self.wire: found})


@dataclass(frozen=True, slots=True)
class PaddedNumberKey(Key):
    """A number of up to twelve digits, written so that texts are in the order of numbers."""

    def value(self, document: Document) -> str | bool | None:
        found = document.get(self.wire)
        return None if found is None else f"{int(found):012d}"


@dataclass(frozen=True, slots=True)
class CompositeKey(Key):
    """Several fields as one: what is unique within another record."""

    of: tuple[str, ...] = ()

    def value(self, document: Document) -> str | bool | None:
        return "/".join(str(document[wire]) for wire in self.of)


_folded, _words, _flag = ColumnType.FOLDED, ColumnType.WORDS, ColumnType.BOOLEAN

#: A company has one at most.
CLOUDPBXS = declare(
    "cloudpbxs",
    Key("name", _folded),
    Key("companyId", unique=True),
    Key("siteId", _words),
    Key("bpId"),
    Key("status"),
    Key("country"),
    NestedKey("externalTrunkId", path=("cloudpbx", "externalTrunkId")),
    Key("creationDate"),
    order=("companyId",),
)
#: The custom list of each CloudPBX: {id: systemId, patterns}.
PROHIBITED_NUMBERS = declare("prohibited_numbers")
SUBSCRIBERS = declare(
    "subscribers",
    CompositeKey("line", unique=True, sorts=False, of=("systemId", "shortNumber")),
    CompositeKey("holder", unique=True, sorts=False, of=("systemId", "userId")),
    Key("systemId"),
    Key("userId"),
    Key("shortNumber"),
    Key("internalNumber"),
    Key("externalNumber"),
    Key("firstName", _folded),
    Key("lastName", _folded),
    Key("names", _folded),
    Key("deviceName", _folded),
    Key("pbxUserId"),
    Key("isMonitored", _flag),
    Key("recordingProfile"),
    Key("status"),
    Key("creationDate"),
    order=("shortNumber",),
    within={
        "systemId": (
            "firstName",
            "lastName",
            "names",
            "deviceName",
            "internalNumber",
            "externalNumber",
            "creationDate",
            "recordingProfile",
            "status",
            "userId",
            "pbxUserId",
            "isMonitored",
        )
    },
)
DDIS = declare(
    "ddis",
    Key("number"),
    Key("numberE164", unique=True),
    Key("systemId"),
    Key("userId"),
    Key("ivrId"),
    Key("groupId"),
    Key("voiceAutoAttendantId"),
    Key("names", _folded),
    Key("firstName", _folded),
    Key("lastName", _folded),
    Key("isCloudPbxDefault", _flag),
    Key("creationDate"),
    order=("number",),
    within={
        "systemId": (
            "names",
            "firstName",
            "lastName",
            "isCloudPbxDefault",
            "creationDate",
            "numberE164",
            "userId",
            "ivrId",
            "groupId",
            "voiceAutoAttendantId",
        )
    },
)
#: MAC addresses are kept in one notation: no two devices share one.
DEVICES = declare(
    "devices",
    Key("description", _folded),
    Key("macAddress", unique=True),
    Key("systemId"),
    Key("companyId"),
    Key("phoneNumberId"),
    Key("userId"),
    Key("shortNumber"),
    Key("userDisplayName", _folded),
    NestedKey("deviceType", _folded, path=("deviceType", "model")),
    order=("description",),
    within={
        "systemId": (
            "macAddress",
            "deviceType",
            "shortNumber",
            "userDisplayName",
            "companyId",
            "phoneNumberId",
            "userId",
        )
    },
)
REGISTRATIONS = declare("registrations", Key("systemId"), Key("phoneNumberId"), Key("deviceId"), Key("expirationDate"))
#: A hundred thousand recordings of one CloudPBX or company are sorted by each of their columns, and those of one
#: subscriber are found among them.
_RECORDING_KEYS = ("duration", "size", "direction", "recordedName", "recordedNumber", "otherNumber", "phoneNumberId")
RECORDINGS = declare(
    "recordings",
    Key("systemId"),
    Key("companyId"),
    Key("date"),
    PaddedNumberKey("duration"),
    PaddedNumberKey("size"),
    Key("direction"),
    NestedKey("phoneNumberId", path=("recordedParty", "phoneNumberId")),
    NestedKey("recordedName", _folded, path=("recordedParty", "name")),
    NestedKey("recordedNumber", _folded, path=("recordedParty", "number")),
    NestedKey("otherNumber", _folded, path=("otherParty", "number")),
    order=("date",),
    within={"systemId": (*_RECORDING_KEYS, "companyId"), "companyId": (*_RECORDING_KEYS, "systemId")},
)
WELCOME_SERVICES = declare(
    "welcome_services",
    Key("name", _folded),
    Key("systemId"),
    Key("externalNumber"),
    Key("companyCalendarId"),
    Key("welcomeId"),
    order=("name",),
)
WELCOMES = declare("welcomes", Key("name", _folded), Key("systemId"), order=("name",))
OFFICE_HOURS = declare("office_hours", Key("name", _folded), Key("systemId"), order=("name",))
EXTERNAL_TRUNKS = declare(
    "external_trunks",
    Key("name", _folded),
    Key("status"),
    Key("trunkType"),
    Key("voiceInstanceId"),
    Key("bpIds", _words),
    order=("name",),
)
