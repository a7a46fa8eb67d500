"""Where a call to a welcome service goes: from the overflow in force, hop by hop, to who answers (2.17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_OPEN, _CLOSED = "openHoursOverflow", "closedHoursOverflow"
#: An overflow that is the other one.
_AS = {"closed_hours": _CLOSED, "office_hours": _OPEN}
_WORDS = {_OPEN: "office hours", _CLOSED: "closed hours"}


@dataclass(frozen=True, slots=True)
class Hop:
    """One stop of a call. `kind` is the type of the overflow, `nothing` where none is set, `loop` where two of them
    point at each other; `destination` is the id of who or what is called."""

    kind: str
    sentence: str
    destination: str = ""


def route(service: Mapping[str, Any], *, open: bool) -> tuple[Hop, ...]:
    """The stops of a call that comes in while the service is open, or closed."""
    hops: list[Hop] = []
    seen: list[str] = []
    overflow = _OPEN if open else _CLOSED
    while overflow not in seen:
        seen.append(overflow)
        found = service.get(overflow)
        target = found if isinstance(found, Mapping) else {}
        kind = str(target.get("type") or "")
        if kind not in _AS:
            return (*hops, _stop(kind, target, overflow))
        overflow = _AS[kind]
        hops.append(Hop(kind, f"As in {_WORDS[overflow]}"))
    return (*hops, Hop("loop", "Both overflows point at each other: the call goes nowhere"))


def _stop(kind: str, target: Mapping[str, Any], overflow: str) -> Hop:
    named = str(target.get("userDisplayName") or target.get("name") or target.get("destinationId") or "nobody")
    destination = str(target.get("destinationId") or "")
    match kind:
        case "":
            return Hop("nothing", f"Nothing is set for {_WORDS[overflow]}: the call ends")
        case "user" if target.get("toVoicemail"):
            return Hop(kind, f"To the voicemail of {named}", destination)
        case "user":
            return Hop(kind, f"To {named}", destination)
        case "group":
            return Hop(kind, f"To the group {named}", destination)
        case "auto_attendant":
            return Hop(kind, f"To the automatic attendant {named}", destination)
        case "number":
            return Hop(kind, f"To the number {target.get('number') or 'that is missing'}", destination)
        case _:
            return Hop(kind, f"To {kind} {named}", destination)
