"""The route of a call to a welcome service: from the overflow in effect, hop by hop, to its destination (2.17).

A number may be a DDI number of a welcome service, which answers then: services can send calls round in a loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from svc_tui.language import _

_OPEN, _CLOSED = "openHoursOverflow", "closedHoursOverflow"
#: Types that refer to an overflow.
_AS = {"closed_hours": _CLOSED, "office_hours": _OPEN}
_WORDS = {_OPEN: _("office hours"), _CLOSED: _("closed hours")}


Services = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop of a call. `kind` is the type of the overflow, `nothing` where none is set, `service` where a welcome
    service answers the called number, `loop` where the call comes back to where it was. `destination` is the id of the
    called user, group, attendant or service."""

    kind: str
    sentence: str
    destination: str = ""


@dataclass(frozen=True, slots=True)
class _Stop:
    """A service in one of its states. Services are the same by their id."""

    service: Mapping[str, Any]
    overflow: str

    @property
    def key(self) -> tuple[str, str]:
        return str(self.service.get("id")), self.overflow

    @property
    def target(self) -> Mapping[str, Any]:
        found = self.service.get(self.overflow)
        return found if isinstance(found, Mapping) else {}

    @property
    def kind(self) -> str:
        return str(self.target.get("type") or "")


def route(service: Mapping[str, Any], *, open: bool, services: Services = ()) -> tuple[Hop, ...]:
    """The hops of a call that comes in while the service is open, or closed.

    `services` are the welcome services of the CloudPBX, which may answer a called number.
    """
    hops: list[Hop] = []
    visited: list[str] = []
    overflow = _OPEN if open else _CLOSED
    while overflow not in visited:
        visited.append(overflow)
        stop = _Stop(service, overflow)
        if stop.kind not in _AS:
            hops.append(_end(stop.kind, stop.target, overflow))
            return (*hops, *_answered(stop, service, services))
        overflow = _AS[stop.kind]
        hops.append(Hop(stop.kind, _("As in {words}").format(words=_WORDS[overflow])))
    return (*hops, Hop("loop", _("Both overflows refer to each other: the call ends")))


def _answered(stop: _Stop, service: Mapping[str, Any], services: Services) -> Iterator[Hop]:
    """The service that answers the called number, and the loop that the call is in then."""
    known = _with(service, services)
    for found in _called(stop, known)[:1]:
        name = str(found.service.get("name"))
        yield Hop("service", _("The welcome service {name} answers").format(name=name), found.key[0])
    if names := _loop([stop], known):
        yield Hop("loop", _("A loop, the call never ends: {names}").format(names=" ▸ ".join(names)))


def loop_of(service: Mapping[str, Any], services: Services) -> tuple[str, ...]:
    """The names of the services through which a call to a service goes round, the first one again at the end.

    Empty without a loop. `services` are those of the CloudPBX. A service that answers can be open or closed then.
    """
    return _loop([_Stop(service, _OPEN), _Stop(service, _CLOSED)], _with(service, services))


def _with(service: Mapping[str, Any], services: Services) -> Services:
    """The services, with this one as it is, or will be."""
    return [service, *(each for each in services if each.get("id") != service.get("id"))]


def _loop(starts: Iterable[_Stop], services: Services) -> tuple[str, ...]:
    """The first loop that is reached from these stops."""
    without: set[tuple[str, str]] = set()

    def from_here(way: tuple[_Stop, ...]) -> tuple[str, ...]:
        for after in _after(way[-1], services):
            keys = [stop.key for stop in way]
            if after.key in keys:
                return _names(*way[keys.index(after.key) :], after)
            if after.key not in without and (found := from_here((*way, after))):
                return found
        without.add(way[-1].key)
        return ()

    return next(filter(None, (from_here((start,)) for start in starts)), ())


def _names(*stops: _Stop) -> tuple[str, ...]:
    """The names of the services of a loop, which at least comes back to one of them."""
    found = [stops[0], *(stop for last, stop in pairwise(stops) if stop.key[0] != last.key[0])]
    return tuple(str(stop.service.get("name")) for stop in (found if len(found) > 1 else stops[:1] * 2))


def _after(stop: _Stop, services: Services) -> Sequence[_Stop]:
    """Where a call goes next: the other overflow of the service, or the service whose number is called."""
    if stop.kind in _AS:
        return [_Stop(stop.service, _AS[stop.kind])]
    return _called(stop, services)


def _called(stop: _Stop, services: Services) -> Sequence[_Stop]:
    """The states of the service whose number is called; none for another number."""
    number = str(stop.target.get("number") or "")
    if stop.kind != "number" or not number:
        return []
    called = [each for each in services if number in _numbers(each)][:1]
    return [_Stop(each, overflow) for each in called for overflow in (_OPEN, _CLOSED)]


def _numbers(service: Mapping[str, Any]) -> list[object]:
    """The DDI numbers of a service, in E.164."""
    more = service.get("secondaryDDIs")
    entries = [each for each in more if isinstance(each, Mapping)] if isinstance(more, list) else []
    return [service.get("externalNumber"), *(each.get("numberE164") for each in entries)]


def _end(kind: str, target: Mapping[str, Any], overflow: str) -> Hop:
    named = str(
        target.get("userDisplayName")
        or target.get("name")
        or target.get("destinationId")
        or _("an unknown destination")
    )
    destination = str(target.get("destinationId") or "")
    match kind:
        case "":
            return Hop("nothing", _("Nothing is set for {words}: the call ends").format(words=_WORDS[overflow]))
        case "user" if target.get("toVoicemail"):
            return Hop(kind, _("To the voicemail of {named}").format(named=named), destination)
        case "user":
            return Hop(kind, _("To {named}").format(named=named), destination)
        case "group":
            return Hop(kind, _("To the group {named}").format(named=named), destination)
        case "auto_attendant":
            return Hop(kind, _("To the automatic attendant {named}").format(named=named), destination)
        case "number":
            return Hop(
                kind, _("To the number {number}").format(number=target.get("number") or "(missing)"), destination
            )
        case _:
            return Hop(kind, _("To {kind} {named}").format(kind=kind, named=named), destination)
