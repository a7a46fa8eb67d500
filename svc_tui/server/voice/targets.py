"""Where calls to a welcome service go: what an overflow may be, and how it is shown (2.17, 4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record, fields_of
from svc_tui.interface.voice.numbering import allows
from svc_tui.interface.voice.numbers import e164
from svc_tui.interface.voice.welcomes import ClosedOverflowTarget, OverflowTarget
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.store.conditions import In
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.extensions import subscriber_of_user

OPEN, CLOSED = "openHoursOverflow", "closedHoursOverflow"
_MODELS: dict[str, type[Record]] = {OPEN: OverflowTarget, CLOSED: ClosedOverflowTarget}
#: A type that means the other overflow; that one cannot mean itself.
_OTHER = {OPEN: "closed_hours", CLOSED: "office_hours"}
_TAKEN = {"user": Code.USER_IN_WELCOME, "group": Code.GROUP_IN_WELCOME}
#: Where an overflow names who or what is called.
_NAMED = ("user", "group", "auto_attendant")


async def check_targets(
    store: Store, pbx: Document, service: Document, given: Document, others: Sequence[Document]
) -> Document:
    """The given overflows of a service as they are stored; what was there before is as good as it was then.

    Refusal 400000 for what cannot be, 403744 or 403745 for a user or a group whom another service of the CloudPBX calls
    already.
    """
    kept = {wire: _of_type(service[wire]) for wire in _MODELS if given.get(wire)}
    problems = [problem for wire, target in kept.items() for problem in _problems(wire, target)]
    if not problems and all((service.get(wire) or {}).get("type") == other for wire, other in _OTHER.items()):
        problems = [Problem(f"{CLOSED}.type", "and openHoursOverflow point at each other", _OTHER[CLOSED])]
    if problems:
        raise invalid(*problems)
    taken = {(target["type"], target.get("destinationId")) for other in others for target in _targets(other)}
    for wire, target in kept.items():
        if (target["type"], target.get("destinationId")) in taken and target["type"] in _TAKEN:
            raise Refusal(_TAKEN[target["type"]])
        kept[wire] = await _stored(store, pbx, wire, target)
    return kept


def _of_type(target: Document) -> Document:
    """What was sent, without the number that is shown of a user: whoever sends back what he read sends it too."""
    hidden = () if target["type"] == "number" else ("number",)
    return {wire: value for wire, value in target.items() if value is not None and wire not in hidden}


def _targets(service: Document) -> Iterator[Document]:
    yield from (service[wire] for wire in _MODELS if service.get(wire))


def _problems(wire: str, target: Document) -> Iterator[Problem]:
    kind = target["type"]
    if kind == _OTHER[CLOSED if wire == OPEN else OPEN]:
        yield Problem(f"{wire}.type", "points at itself", kind)
    if kind == "number" and wire == OPEN:
        yield Problem(f"{wire}.type", "is for closed hours only", kind)
    if kind in _NAMED and not RECORD_ID.fullmatch(str(target.get("destinationId") or "")):
        yield Problem(f"{wire}.destinationId", f"is required for {kind}", target.get("destinationId"))
    if kind == "number" and wire == CLOSED and not target.get("number"):
        yield Problem(f"{wire}.number", "is required for number", target.get("number"))
    for spec in fields_of(_MODELS[wire]):
        value = target.get(spec.wire)
        if spec.facet.needs is not None and value not in (None, False) and not spec.facet.needs.met(target):
            yield Problem(f"{wire}.{spec.wire}", f"is there {spec.facet.needs}", value)


async def _stored(store: Store, pbx: Document, wire: str, target: Document) -> Document:
    found = dict(target)
    if found["type"] == "user" and await subscriber_of_user(store, pbx["id"], found["destinationId"]) is None:
        raise invalid(Problem(f"{wire}.destinationId", "is no user with an extension here", found["destinationId"]))
    if found["type"] == "number":
        found["number"] = _number(pbx, wire, found["number"])
    return found


def _number(pbx: Document, wire: str, text: str) -> str:
    """An internal number as it is, one outside in E.164."""
    if allows(pbx["cloudpbx"], text):
        return text
    try:
        return e164(text, pbx.get("country"))
    except ValueError as error:
        raise invalid(Problem(f"{wire}.number", str(error), text)) from error


async def named(store: Store, services: Sequence[Document]) -> list[Document]:
    """The services with the present names and numbers of the users that their calls go to."""
    ids = {
        str(target["destinationId"]) for service in services for target in _targets(service) if target["type"] == "user"
    }
    users = {each["id"]: each for each in (await store.users.find(In("id", sorted(ids)))).documents}
    systems = sorted({str(service["systemId"]) for service in services})
    where = (In("systemId", systems), In("userId", sorted(ids)))
    extensions = {each["userId"]: each for each in (await store.subscribers.find(*where)).documents}
    return [_with_names(service, users, extensions) for service in services]


def _with_names(service: Document, users: dict[str, Document], extensions: dict[str, Document]) -> Document:
    found = dict(service)
    for wire in _MODELS:
        target = service.get(wire) or {}
        if target.get("type") == "user":
            id = str(target["destinationId"])
            name = (users.get(id) or {}).get("displayName")
            told = {"userId": id, "userDisplayName": name, "name": name}
            told["number"] = (extensions.get(id) or {}).get("shortNumber")
            found[wire] = {**target, **{key: value for key, value in told.items() if value}}
        elif target.get("type") == "auto_attendant":
            found.update(voiceAutoAttendantId=target["destinationId"])
            if target.get("name"):
                found.update(voiceAutoAttendantName=target["name"])
    return found
