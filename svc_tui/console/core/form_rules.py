"""Rules of a form beyond the constraints of its fields, determined when it is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
