"""Overflows of welcome services: the checks of a sent overflow, and overflows in responses (2.17, 4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import all_typed, copied, document_of
from svc_tui.interface.voice.numbering import called_number
from svc_tui.interface.voice.welcomes import ClosedOverflowTarget, OverflowTarget
from svc_tui.server.http.parsing import RECORD_ID
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import unavailable
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import In
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredUser
from svc_tui.server.voice.access import country_of
from svc_tui.server.voice.ddis import subscriber_of_user
from svc_tui.server.voice.numbering import is_in_use
from svc_tui.server.voice.stored import StoredCloudPbx, StoredOverflow, StoredSubscriber, StoredWelcomeService

OPEN, CLOSED = "openHoursOverflow", "closedHoursOverflow"
_MODELS: dict[str, type[Record]] = {OPEN: OverflowTarget, CLOSED: ClosedOverflowTarget}
#: The type that refers to the other overflow. That overflow has no type for itself.
_OTHER = {OPEN: "closed_hours", CLOSED: "office_hours"}
_TAKEN = {"user": Code.USER_IN_WELCOME, "group": Code.GROUP_IN_WELCOME}
#: Types that name a destination.
_WITH_DESTINATION = ("user", "group", "auto_attendant")


async def check_overflows(
    call: AnyCall,
    pbx: StoredCloudPbx,
    service: StoredWelcomeService,
    old: StoredWelcomeService | None,
    others: Sequence[StoredWelcomeService],
) -> None:
    """Check the overflows of a service that are not those of before, and bring them into their stored form.

    Refusal 400000 for values that contradict each other, 403744 or 403745 for a user or a group that another service
    of the CloudPBX calls already.
    """
    before = {wire: _without_shown_number(target) for wire, target in _overflows(old).items()} if old else {}
    targets = {
        wire: target
        for wire, shown in _overflows(service).items()
        if not _is_same(target := _without_shown_number(shown), before.get(wire))
    }
    problems = [problem for wire, target in targets.items() for problem in _problems(wire, target)]
    types = {wire: target.type for wire, target in _overflows(service).items()}
    if not problems and types == _OTHER:
        problems = [Problem(f"{CLOSED}.type", "and openHoursOverflow refer to each other", _OTHER[CLOSED])]
    if problems:
        raise invalid(*problems)
    taken = {(target.type, target.destination_id) for other in others for target in _overflows(other).values()}
    for wire, target in targets.items():
        if (target.type, target.destination_id) in taken and target.type in _TAKEN:
            raise Refusal(_TAKEN[target.type])
        await _check_destination(call, pbx, wire, target)
    if OPEN in targets:
        service.open_hours_overflow = targets[OPEN]
    if CLOSED in targets:
        service.closed_hours_overflow = targets[CLOSED]


def _overflows(service: StoredWelcomeService) -> dict[str, StoredOverflow]:
    overflows = {OPEN: service.open_hours_overflow, CLOSED: service.closed_hours_overflow}
    return {wire: target for wire, target in overflows.items() if target is not None}


def _without_shown_number(target: StoredOverflow) -> StoredOverflow:
    """The overflow without the number of a user: answers have it, so a client may send it back."""
    found = copied(target)
    if target.type != "number":
        del found.number
    return found


def _is_same(one: StoredOverflow, other: StoredOverflow | None) -> bool:
    """Whether two overflows lead to the same destination, whatever it is called."""
    return (
        other is not None
        and all(getattr(one, name) == getattr(other, name) for name in ("type", "destination_id", "number"))
        and bool(one.to_voicemail) == bool(other.to_voicemail)
    )


def _problems(wire: str, target: StoredOverflow) -> Iterator[Problem]:
    if target.type == _OTHER[CLOSED if wire == OPEN else OPEN]:
        yield Problem(f"{wire}.type", "refers to itself", target.type)
    if target.type == "number" and wire == OPEN:
        yield Problem(f"{wire}.type", "is for closed hours only", target.type)
    if target.type in _WITH_DESTINATION and not RECORD_ID.fullmatch(target.destination_id or ""):
        yield Problem(f"{wire}.destinationId", f"is required for {target.type}", target.destination_id)
    if target.type == "number" and wire == CLOSED and not target.number:
        yield Problem(f"{wire}.number", "is required for number", target.number)
    yield from unavailable(_MODELS[wire], document_of(target), f"{wire}.")


async def _check_destination(call: AnyCall, pbx: StoredCloudPbx, wire: str, target: StoredOverflow) -> None:
    """Refuse (400000) a user without an extension here. A number is changed to its stored form."""
    id = target.destination_id
    if target.type == "user" and (id is None or await subscriber_of_user(call.store, pbx.id, id) is None):
        raise invalid(Problem(f"{wire}.destinationId", "is not a user with an extension at this CloudPBX", id))
    if target.type == "number" and target.number:
        target.number = await _number(call, pbx, f"{wire}.number", target.number)


async def _number(call: AnyCall, pbx: StoredCloudPbx, param: str, text: str) -> str:
    """An internal number unchanged, an external number in E.164.

    Refusal 400000 for an emergency number, which no machine may call, and for an internal number without a subscriber,
    unless the peer answers such numbers.
    """
    if await is_in_use(call.store, pbx, text):
        return text
    settings = document_of(pbx.cloudpbx)
    try:
        number = called_number(settings, text, await country_of(call, pbx))
    except ValueError as error:
        raise invalid(Problem(param, str(error), text)) from error
    if not number.startswith("+") and not settings.get("routeInternalCallsToPeer"):
        raise invalid(Problem(param, "is an internal number that no subscriber has", text))
    return number


async def with_names(store: Store, services: Sequence[StoredWelcomeService]) -> list[StoredWelcomeService]:
    """The services with the current names and numbers of the users that their calls go to."""
    targets = [target for service in services for target in _overflows(service).values()]
    ids = sorted({target.destination_id for target in targets if target.type == "user" and target.destination_id})
    users = all_typed(StoredUser, (await store.users.find(In("id", ids))).documents)
    where = (In("systemId", sorted({service.system_id for service in services})), In("userId", ids))
    extensions = all_typed(StoredSubscriber, (await store.subscribers.find(*where)).documents)
    names = {user.id: user.display_name for user in users}
    numbers = {extension.user_id: extension.short_number for extension in extensions}
    return [_with_names(service, names, numbers) for service in services]


def _with_names(
    service: StoredWelcomeService, names: Mapping[str, str | None], numbers: Mapping[str, str]
) -> StoredWelcomeService:
    found = copied(service)
    if service.open_hours_overflow is not None:
        found.open_hours_overflow = _with_user(service.open_hours_overflow, names, numbers)
    if service.closed_hours_overflow is not None:
        found.closed_hours_overflow = _with_user(service.closed_hours_overflow, names, numbers)
    for target in _overflows(service).values():
        if target.type == "auto_attendant":
            found.voice_auto_attendant_id = target.destination_id
            if target.name:
                found.voice_auto_attendant_name = target.name
    return found


def _with_user(target: StoredOverflow, names: Mapping[str, str | None], numbers: Mapping[str, str]) -> StoredOverflow:
    if target.type != "user" or not target.destination_id:
        return target
    found = copied(target)
    found.user_id = id = target.destination_id
    if name := names.get(id):
        found.user_display_name = found.name = name
    if number := numbers.get(id):
        found.number = number
    return found
