"""What somebody else changed while a record was being edited here. Pure: the form decides what becomes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from svc_tui.client.errors import ServiceError


class ChangedMeanwhile(ServiceError):
    """Not sent: between the review and `enter` somebody else changed the record."""


@dataclass(frozen=True)
class Meanwhile:
    """Fields that somebody else changed, with the value from before; `theirs` are those that were edited here too.

    `merged` are lists that were edited on both sides in different rows, with the rows of both.
    """

    changed: Mapping[str, Any] = field(default_factory=dict)
    theirs: frozenset[str] = frozenset()
    merged: Mapping[str, Sequence[Any]] = field(default_factory=dict)

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
    theirs = {wire for wire in changed if wire in edited and edited[wire] != now.get(wire)}
    both = {wire: together(before.get(wire), edited[wire], now.get(wire)) for wire in theirs}
    merged = {wire: rows for wire, rows in both.items() if rows is not None}
    return Meanwhile(changed, frozenset(theirs - merged.keys()), merged)


def together(before: object, mine: object, theirs: object) -> list[Any] | None:
    """A list of rows with the changes of both sides; None where they touch the same row, or one side only sorted.

    A row is known by its first value: where both add one with the same, only a person can tell which is meant.
    """
    if not (isinstance(before, list) and isinstance(mine, list) and isinstance(theirs, list)):
        return None
    added, gone = [row for row in mine if row not in before], [row for row in before if row not in mine]
    if not (added or gone) or any(row not in theirs for row in gone):
        return None
    rows = [row for row in theirs if row not in gone]
    if any(_key(row) in map(_key, rows) for row in added):
        return None
    for row in added:
        above = mine[mine.index(row) - 1] if mine.index(row) else None
        at = rows.index(above) + 1 if above in rows else 0 if above is None else len(rows)
        rows.insert(at, row)
    return rows


def _key(row: object) -> object:
    return next(iter(row.values()), None) if isinstance(row, Mapping) else row
