"""Rules of a form beyond the constraints of its fields: of its record, as it is opened, and between fields."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from svc_tui.interface.field_specs import FieldSpec


FormValues = Mapping[str, Any]


class Forbidden(Exception):
    """An action that breaks a rule; `sentence` names the rule."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


@dataclass(frozen=True)
class Rules:
    """`field` returns why a field cannot be set here; `broken` the problems of the values that would be sent, by field.

    `fixed` are values that are sent and not edited, `before` values of the record in the notation in which they are
    sent, and `stored` gives the values of a form in the notation in which the service will store them. `choices` are
    those of a field that the caller may choose. `name` is the
    name of the record for a typed confirmation. The preview shows `warning`, and what `warns` returns for the values
    that would be sent. `price` is what these cost, which the preview shows in place of `warning`.
    """

    name: str = ""
    title: str = ""
    warning: str = ""
    fixed: FormValues = field(default_factory=dict)
    before: FormValues = field(default_factory=dict)
    field: Callable[[str], str] = lambda wire: ""
    warns: Callable[[FormValues], str] = lambda values: ""
    stored: Callable[[FormValues], FormValues] = lambda values: values
    broken: Callable[[FormValues], Mapping[str, str]] = lambda values: {}
    choices: Callable[[FieldSpec], Sequence[str]] = lambda spec: spec.choices
    price: Callable[[FormValues], Awaitable[str]] | None = None


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
