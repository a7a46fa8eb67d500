"""Rules of a form that are more than a field's constraint, found out when it is opened. No screen in here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Values = Mapping[str, Any]


class Forbidden(Exception):
    """What was asked for breaks a rule; `sentence` says which."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


@dataclass(frozen=True)
class Rules:
    """`field`: why a field (by wire name) cannot be set here at all. `broken`: what is wrong with the values that
    would be sent, by wire name. `fixed` is sent along and not edited, `before` are values of the record in the form
    in which they are sent. `name` is what the record is called, which may have to be typed. `warning` is said in the
    preview, and so is what `warns` says of the values that would be sent.
    """

    name: str = ""
    title: str = ""
    warning: str = ""
    fixed: Values = field(default_factory=dict)
    before: Values = field(default_factory=dict)
    field: Callable[[str], str] = lambda wire: ""
    warns: Callable[[Values], str] = lambda values: ""
    broken: Callable[[Values], Mapping[str, str]] = lambda values: {}
