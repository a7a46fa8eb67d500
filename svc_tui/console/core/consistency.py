"""Rules between the fields of a record, as forms use them. Light: resources name them before any model is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Contradiction(Protocol):
    """A field whose value conflicts with that of another field (`needs`, empty for none)."""

    @property
    def key(self) -> str: ...
    @property
    def needs(self) -> str: ...
    @property
    def sentence(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Consistency:
    """Contradictions among values by field, and the values that must follow from the change of one field."""

    contradictions: Callable[[Mapping[str, Any]], Sequence[Contradiction]]
    repaired: Callable[[Mapping[str, Any], str], Mapping[str, Any]]
    #: Name of the action that sets the values that follow.
    action: str = ""

    def following(self, values: Mapping[str, Any], last: str) -> dict[str, Any]:
        """The values that resolve all contradictions, those that follow from the last changed field first."""
        found = dict(values)
        while broken := self.contradictions(found):
            about_last = any(last in (one.key, one.needs) for one in broken)
            after = {**found, **self.repaired(found, last if about_last else broken[0].needs)}
            if after == found:
                break
            found = after
        return {wire: value for wire, value in found.items() if value != values.get(wire)}
