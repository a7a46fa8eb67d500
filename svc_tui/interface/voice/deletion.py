"""What points at a record of a CloudPBX and the effect when the record is deleted, and the content that prevents the
deletion of a CloudPBX or is deleted with it when forced (2.15, 2.17, 4.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Code
from svc_tui.language import _

_OVERFLOWS = {"openHoursOverflow": _("open hours"), "closedHoursOverflow": _("closed hours")}
#: Kind of record -> the field of a welcome service with its id.
HOURS = {"officehours": "companyCalendarId", "welcomes": "welcomeId"}


@dataclass(frozen=True, slots=True)
class Reference:
    """A record that points at another one: its kind, id and name.

    `sentence` is how it does, or the effect of the deletion on it. With `prevents` the other record cannot be deleted.
    """

    kind: str
    id: str
    name: str
    sentence: str
    prevents: bool = True


def references(kind: str, record: RecordData, around: Mapping[str, Sequence[RecordData]]) -> list[Reference]:
    """What points at a record.

    `around` are the records of its CloudPBX by their kinds: `welcomeservices`, and for a subscriber the `sipdevices`.
    A call that would go nowhere prevents a deletion, as for users; devices and numbers become free (4.7).
    """
    return list(_found(kind, record, around))


def _found(kind: str, record: RecordData, around: Mapping[str, Sequence[RecordData]]) -> Iterator[Reference]:
    services = [each for each in around.get("welcomeservices", ()) if each.get("id") != record.get("id")]
    id = record.get("id")
    if kind == "subscribers":
        yield from _calling(services, record.get("userId"), {str(record.get("shortNumber") or ""), *_numbers(record)})
        for device in around.get("sipdevices", ()):
            if device.get("phoneNumberId") == id:
                yield _freed("sipdevices", device, str(device.get("description") or device.get("macAddress") or ""))
        yield from _unassigned(record)
    elif kind == "ddis":
        yield from _holder(record)
        yield from _calling(services, None, {str(record.get("numberE164") or "")})
    elif kind == "sipdevices" and record.get("phoneNumberId"):
        name = " ".join(str(record[wire]) for wire in ("shortNumber", "userDisplayName") if record.get(wire))
        yield Reference("subscribers", str(record["phoneNumberId"]), name, _("uses this device"))
    elif kind == "welcomeservices":
        yield from _calling(services, None, _numbers(record))
        yield from _unassigned(record)
    elif kind in HOURS:
        for service in services:
            if service.get(HOURS[kind]) == id:
                yield _service(service, _("opens and closes by it"))


def preventing(found: Iterable[Reference]) -> list[Reference]:
    """Those that prevent the deletion."""
    return [each for each in found if each.prevents]


def _calling(services: Iterable[RecordData], user_id: object, numbers: set[str]) -> Iterator[Reference]:
    """The services that send calls to a user, or to one of the numbers."""
    for service in services:
        for wire, when in _OVERFLOWS.items():
            target = service.get(wire)
            if not isinstance(target, Mapping):
                continue
            if target.get("type") == "user" and user_id and target.get("destinationId") == user_id:
                yield _service(service, _("sends the calls of its {when} here").format(when=when))
            number = str(target.get("number") or "")
            if target.get("type") == "number" and number and number in numbers:
                yield _service(service, _("sends the calls of its {when} to {number}").format(when=when, number=number))


def _service(service: RecordData, sentence: str) -> Reference:
    return Reference("welcomeservices", str(service.get("id")), str(service.get("name") or ""), sentence)


def _holder(ddi: RecordData) -> Iterator[Reference]:
    """The holder of a number: a subscriber loses it, others do not go without it."""
    names = str(ddi.get("names") or "")
    if ddi.get("userId"):
        yield Reference("subscribers", str(ddi["userId"]), names, _("loses this number"), prevents=False)
    for wire, kind in (("ivrId", "welcomeservices"), ("groupId", ""), ("voiceAutoAttendantId", "")):
        if ddi.get(wire):
            yield Reference(kind, str(ddi[wire]), names, _("answers this number"))
    if ddi.get("isCloudPbxDefault"):
        system = str(ddi.get("systemId") or "")
        yield Reference("cloudpbxs", system, "", _("has no company number without it"), prevents=False)


def _numbers(record: RecordData) -> set[str]:
    """The DDI numbers of a subscriber or a welcome service, in E.164."""
    return {number for _id, number in _held(record)}


def _unassigned(record: RecordData) -> Iterator[Reference]:
    for id, number in _held(record):
        yield _freed("ddis", {"id": id}, number)


def _held(record: RecordData) -> Iterator[tuple[str, str]]:
    """The ids and numbers of the DDI numbers of a record, the main one first."""
    more: Any = record.get("secondaryDDIs")
    further = [each for each in more if isinstance(each, Mapping)] if isinstance(more, list) else []
    held = [(record.get("externalNumberId"), record.get("externalNumber"))]
    held += [(each.get("phoneNumberId"), each.get("numberE164")) for each in further]
    return ((str(id or ""), str(number)) for id, number in held if number)


def _freed(kind: str, record: RecordData, name: str) -> Reference:
    return Reference(kind, str(record.get("id")), name, _("becomes free"), prevents=False)


@dataclass(frozen=True, slots=True)
class CloudPbxContent:
    """One kind of content of a CloudPBX. `param` names it in a refusal, whose value is the count.

    `kind` is the kind of its records.
    """

    param: str
    code: Code
    sentence: str
    kind: str


#: In the order of a refusal. The first kind that is present gives the refusal its code.
CONTENT: tuple[CloudPbxContent, ...] = (
    CloudPbxContent(
        "welcomeservices", Code.HAS_WELCOME_SERVICES, _("the CloudPBX has welcome services"), "welcomeservices"
    ),
    CloudPbxContent("ddis", Code.HAS_PUBLIC_NUMBERS, _("the CloudPBX has DDI numbers"), "ddis"),
    CloudPbxContent("subscribers", Code.HAS_EXTENSIONS, _("the CloudPBX has subscribers"), "subscribers"),
    CloudPbxContent("devices", Code.HAS_DEVICES, _("the CloudPBX has devices"), "sipdevices"),
)
