"""What somebody else changed while a record was being edited here. Pure: the form decides what becomes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from svc_tui.client.errors import ServiceError


class ChangedMeanwhile(ServiceError):
    """Not sent: between the review and `enter` somebody else changed the record."""


@dataclass(frozen=True)
class Meanwhile:
    """Fields that somebody else changed, with the value from before; `theirs` are those that were edited here too."""

    changed: Mapping[str, Any] = field(default_factory=dict)
    theirs: frozenset[str] = frozenset()

    def after(self, later: Meanwhile) -> Meanwhile:
        """This, and what changed after it: the oldest value of a field is the one that people know."""
        return Meanwhile({**later.changed, **self.changed}, self.theirs | later.theirs)

    def told(self, labels: Mapping[str, str], replaced: Collection[str]) -> str:
        """What is said before something is sent, of which some fields replace theirs; empty when nobody else changed
        anything."""
        if not self.changed:
            return ""
        said = f"Somebody else changed meanwhile: {_named(self.changed, labels)}."
        return (
            f"{said} Sending replaces what they set of {_named(replaced, labels)}." if replaced else f"{said} It stays."
        )


def _named(wires: Collection[str], labels: Mapping[str, str]) -> str:
    return ", ".join(labels.get(wire, wire) for wire in wires)


def meanwhile(before: Mapping[str, Any], now: Mapping[str, Any], edited: Mapping[str, Any]) -> Meanwhile:
    """What differs by now from the record as it was when editing began; `edited` are the values set here.

    Who set the same as here does not contradict.
    """
    wires = dict.fromkeys((*before, *now))
    changed = {wire: before.get(wire) for wire in wires if before.get(wire) != now.get(wire)}
    theirs = frozenset(wire for wire in changed if wire in edited and edited[wire] != now.get(wire))
    return Meanwhile(changed, theirs)
