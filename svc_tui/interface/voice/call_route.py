"""The route of a call to a welcome service: from the overflow in effect, hop by hop, to its destination (2.17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.fast_dataclasses import dataclass
from svc_tui.language import _

_OPEN, _CLOSED = "openHoursOverflow", "closedHoursOverflow"
#: Types that refer to an overflow.
_AS = {"closed_hours": _CLOSED, "office_hours": _OPEN}
_WORDS = {_OPEN: _("office hours"), _CLOSED: _("closed hours")}


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop of a call. `kind` is the type of the overflow, `nothing` where none is set, `loop` where both overflows
    refer to each other. `destination` is the id of the called user, group or attendant."""

    kind: str
    sentence: str
    destination: str = ""


def route(service: Mapping[str, Any], *, open: bool) -> tuple[Hop, ...]:
    """The hops of a call that comes in while the service is open, or closed."""
    hops: list[Hop] = []
    visited: list[str] = []
    overflow = _OPEN if open else _CLOSED
    while overflow not in visited:
        visited.append(overflow)
        found = service.get(overflow)
        target = found if isinstance(found, Mapping) else {}
        kind = str(target.get("type") or "")
        if kind not in _AS:
            return (*hops, _stop(kind, target, overflow))
        overflow = _AS[kind]
        hops.append(Hop(kind, _("As in {words}").format(words=_WORDS[overflow])))
    return (*hops, Hop("loop", _("Both overflows refer to each other: the call ends")))


def _stop(kind: str, target: Mapping[str, Any], overflow: str) -> Hop:
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
