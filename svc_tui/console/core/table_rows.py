"""A list of records while it is edited: its rows, their problems, and the complete new list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.form import TYPED, Form
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.interface.records import Record

#: A row: the entry as it is stored, None for a new one, and its values.
_Row = tuple[Mapping[str, Any] | None, Form]


def is_table(model: type[Record] | None) -> bool:
    """Whether records of this kind can be edited in a table: all their fields are typed."""
    return model is not None and all(spec.kind in TYPED for spec in fields_of(model))


class EditedRows:
    """The entries of a list. What was not edited, also in fields that are not declared, stays as it was.

    `unique` is a field with a different value in each entry, `most` the limit of entries.
    """

    def __init__(
        self,
        model: type[Record],
        value: Sequence[Mapping[str, Any]],
        unique: str = "",
        most: int | None = None,
    ) -> None:
        self._model, self._unique, self.most = model, unique, most
        self.specs: Sequence[FieldSpec] = fields_of(model)
        self._rows: list[_Row] = [self._row(entry) for entry in value]
        self._start = self.value()

    def __len__(self) -> int:
        return len(self._rows)

    def _row(self, entry: Mapping[str, Any] | None = None) -> _Row:
        """The row of an entry; without one, of a new entry with its defaults."""
        form = Form(self._model, frozenset())
        if entry is not None:
            for spec in self.specs:
                form.set(spec.wire, entry.get(spec.wire))
        form.begin()
        return entry, form

    def drawn(self, at: int, wire: str) -> str:
        """A value as it is shown; empty when there is none."""
        form = self._rows[at][1]
        return form.drawn(wire) if form.values.get(wire) not in (None, "") else ""

    def typed(self, at: int, wire: str) -> str:
        """A value as editable text."""
        return self._rows[at][1].typed(wire)

    def type(self, at: int, wire: str, text: str) -> None:
        """Set a value from typed text."""
        self._rows[at][1].type(wire, text)

    def problem(self, at: int, wire: str = "") -> str:
        """The problem of a row, or of one field of it; empty when there is none."""
        if not 0 <= at < len(self._rows):
            return ""
        form = self._rows[at][1]
        found = {wire: form.problem(wire)} if wire else form.problems()
        for name, problem in found.items():
            if problem:
                return _("Row {at}: {label} {problem}").format(at=at + 1, label=form.spec(name).label, problem=problem)
        return self._twice(at) if self._unique and wire in ("", self._unique) else ""

    def _twice(self, at: int) -> str:
        value = self._rows[at][1].values.get(self._unique)
        above = next((n for n, (_, each) in enumerate(self._rows[:at], 1) if each.values.get(self._unique) == value), 0)
        label = self._rows[at][1].spec(self._unique).label
        return (
            _("Row {at}: {label} is already in row {above}").format(at=at + 1, label=label, above=above)
            if above and value is not None
            else ""
        )

    def add(self, at: int) -> bool:
        """Insert an empty row; False when the list is full."""
        if self.most is not None and len(self._rows) >= self.most:
            return False
        self._rows.insert(at, self._row())
        return True

    def drop(self, at: int) -> None:
        """Remove a row."""
        del self._rows[at]

    def shift(self, at: int, by: int) -> bool:
        """Move a row up or down; False at the first or last place."""
        if not (0 <= at < len(self._rows) and 0 <= at + by < len(self._rows)):
            return False
        self._rows[at], self._rows[at + by] = self._rows[at + by], self._rows[at]
        return True

    def drop_empty(self) -> None:
        """Remove rows that were added, or cleared, and are empty."""
        self._rows = [
            (entry, form)
            for entry, form in self._rows
            if any(value not in (None, "") for value in form.values.values()) or (entry is not None and not form.dirty)
        ]

    def value(self) -> list[dict[str, Any]]:
        """The complete list for the request."""
        return [self._value(entry, form) for entry, form in self._rows]

    def _value(self, entry: Mapping[str, Any] | None, form: Form) -> dict[str, Any]:
        """An entry with what was edited of it. Fields that were missing before stay missing unless they were edited."""
        edited = {wire: value for wire, value in form.values.items() if entry is None or form.changed(wire)}
        row = {**(entry or {}), **edited}
        return {wire: value for wire, value in row.items() if value is not None or wire in (entry or ())}

    @property
    def changed(self) -> bool:
        """Whether the list was edited."""
        return self.value() != self._start
