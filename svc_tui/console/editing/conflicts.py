"""Conflicts between this edit and another administrator's. Pure: the form applies them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from svc_tui.language import _


@dataclass(frozen=True)
class Conflicts:
    """Fields changed by another administrator, with their previous values; `theirs` are also edited here.

    `merged` are lists with changes of both sides in different rows, with the rows of both.
    """

    changed: Mapping[str, Any] = field(default_factory=dict)
    theirs: frozenset[str] = frozenset()
    merged: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def edited(self) -> frozenset[str]:
        """The fields that both sides have changed, to different values."""
        return self.theirs | self.merged.keys()

    def after(self, later: Conflicts) -> Conflicts:
        """These conflicts and later ones; the oldest previous value of a field is kept."""
        return Conflicts({**later.changed, **self.changed}, self.theirs | later.theirs)

    def warning(self, labels: Mapping[str, str], replaced: Collection[str]) -> str:
        """The warning of a preview that replaces some of these values; empty without conflicts."""
        if not self.changed:
            return ""
        changed = _("Another administrator changed: {named}.").format(named=_named(self.changed, labels))
        return (
            _("{changed} Your values replace: {named}.").format(changed=changed, named=_named(replaced, labels))
            if replaced
            else changed
        )


def _named(wires: Collection[str], labels: Mapping[str, str]) -> str:
    return ", ".join(labels.get(wire, wire) for wire in wires)


def find_conflicts(before: Mapping[str, Any], now: Mapping[str, Any], edited: Mapping[str, Any]) -> Conflicts:
    """Changes of the record since editing began; `edited` are the values set here.

    The same value on both sides is not a conflict.
    """
    wires = dict.fromkeys((*before, *now))
    changed = {wire: before.get(wire) for wire in wires if before.get(wire) != now.get(wire)}
    theirs = {wire for wire in changed if wire in edited and edited[wire] != now.get(wire)}
    both = {wire: merge_rows(before.get(wire), edited[wire], now.get(wire)) for wire in theirs}
    merged = {wire: rows for wire, rows in both.items() if rows is not None}
    return Conflicts(changed, frozenset(theirs - merged.keys()), merged)


def merge_rows(before: object, mine: object, theirs: object) -> list[Any] | None:
    """A list of rows with the changes of both sides; None where they affect the same row, or one side only sorted.

    A row is identified by its first value: when both sides add the same one, the user must decide.
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
