"""Validation of rows, and the entry of a valid row. The constraints are those of the fields of an entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from svc_tui.interface.directory.csv.columns import (
    ACTION,
    ACTIONS,
    LDAP_ID,
    NUMBERS,
    CsvColumn,
    all_columns,
    entry_fields,
    suggested_action,
    suggested_country,
)
from svc_tui.interface.directory.csv.faults import NUL, Fault
from svc_tui.interface.directory.values import LONGEST_TEXT, MOST_NUMBERS, NAME_REQUIRED, STATE_COUNTRIES
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.problems import problem_of
from svc_tui.interface.telephone_numbers import Reading, read_numbers
from svc_tui.language import _

#: Action of a row without one, except in a synchronisation.
DEFAULT_ACTION = "sync"
#: The columns of which a row needs one.
NAMES = ("firstName", "lastName", "companyName")
_NOT_A_COUNTRY = _("is not a three-letter country code")


@lru_cache(maxsize=8192)
def _value_problem(wire: str, value: str, several: bool) -> str:
    return problem_of(entry_fields(), wire, [value] if several else value)


def plain_length(column: CsvColumn) -> int | None:
    """Longest value of a column whose only constraint is the length; None for other columns."""
    spec = field_by_wire(entry_fields()).get(column.field)
    if spec is None or column.several or spec.kind != "text" or spec.pattern or spec.max_length is None:
        return LONGEST_TEXT if column.name == LDAP_ID else None
    return spec.max_length


@dataclass(frozen=True, slots=True)
class _Cell:
    """A column, prepared for checking its cells."""

    column: CsvColumn
    place: int
    longest: int | None
    telephone: bool


@dataclass(slots=True)
class Checker:
    """Checks the rows of one file. `country` is the country of the company; it applies to entries without one."""

    columns: Sequence[CsvColumn]
    synchronizing: bool = False
    country: str = ""
    _cells: list[_Cell] = field(init=False)
    _places: dict[str, int] = field(init=False)
    #: The most numbers of each kind in a row in which a cell has several.
    _most: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._cells = [
            _Cell(column, place, plain_length(column), column.field in NUMBERS)
            for place, column in enumerate(self.columns)
            if column.name != ACTION
        ]
        self._places = {column.name: place for place, column in enumerate(self.columns)}

    def _cell(self, cells: Sequence[str], name: str) -> str:
        place = self._places.get(name)
        return cells[place].strip() if place is not None and place < len(cells) else ""

    def action(self, cells: Sequence[str]) -> str:
        """The action of a row."""
        action = self._cell(cells, ACTION)
        return action if action or self.synchronizing else DEFAULT_ACTION

    def check(self, cells: Sequence[str]) -> list[Fault]:
        """All faults of a row. Empty when it is valid."""
        if len(cells) != len(self.columns):
            message = _("has {cells} values, but the file has {columns} columns").format(
                cells=len(cells), columns=len(self.columns)
            )
            return [Fault("", message, rule=_("wrong number of values"))]
        found = self._keys(cells)
        if self.action(cells) != "delete":
            found += self._values(cells)
            if not self._names_are_optional(cells) and not any(self._cell(cells, name) for name in NAMES):
                found.append(
                    Fault(next((n for n in NAMES if n in self._places), ""), NAME_REQUIRED, rule=_("name missing"))
                )
        if not found and NUL in "".join(cells):
            found += self._with_nul(cells)
        return found

    def _with_nul(self, cells: Sequence[str]) -> list[Fault]:
        message = _("contains NUL, a character that cannot be stored")
        return [
            Fault(column.name, message, cell, rule=_("invalid character"))
            for column, cell in zip(self.columns, cells, strict=True)
            if NUL in cell
        ]

    def _names_are_optional(self, cells: Sequence[str]) -> bool:
        # The upsert of an existing entry need not repeat its names.
        return self.synchronizing and self.action(cells) == "upsert"

    def _keys(self, cells: Sequence[str]) -> list[Fault]:
        found = []
        action = self.action(cells)
        if action not in ACTIONS:
            message = _("must be one of {actions}").format(actions=", ".join(ACTIONS))
            suggestion = suggested_action(action)
            found.append(
                Fault(ACTION, f"{message}{_hint(suggestion)}", action, rule=_("unknown action"), suggestion=suggestion)
            )
        if self.synchronizing and not self._cell(cells, LDAP_ID):
            found.append(Fault(LDAP_ID, _("is required"), rule=_("value missing")))
        return found

    def _values(self, cells: Sequence[str]) -> list[Fault]:
        found = []
        country = self._cell(cells, "country") or self.country
        several = False
        for cell in self._cells:
            value = cells[cell.place]
            if not value:
                continue
            if cell.longest is not None:
                if len(value) > cell.longest:
                    message = _("has {value} characters, more than the maximum of {longest}").format(
                        value=len(value), longest=cell.longest
                    )
                    found.append(Fault(cell.column.name, message, value, rule=_("too long")))
            elif cell.telephone and value.strip():
                readings = read_numbers(value.strip(), country or None)
                found += self._number_faults(cell, readings, value.strip())
                several |= len(readings) > 1
            elif value.strip():
                found += self._value_faults(cell, value.strip())
        if several and not found:
            found += self._without_room(cells)
        state = self._cell(cells, "state")
        if state and country and country not in STATE_COUNTRIES:
            message = _("is allowed only for {countries}; the country is {country}").format(
                countries=_(" and ").join(STATE_COUNTRIES), country=country
            )
            found.append(Fault("state", message, state, rule=_("state not allowed")))
        return found

    def _value_faults(self, cell: _Cell, value: str) -> list[Fault]:
        name = cell.column.name
        problem = _value_problem(cell.column.field, value, cell.column.several)
        if not problem:
            return []
        suggestion = suggested_country(value) if name == "country" else ""
        message = f"{_NOT_A_COUNTRY}{_hint(suggestion)}" if suggestion else problem
        return [Fault(name, message, value, rule=_rule(name), suggestion=suggestion)]

    def _number_faults(self, cell: _Cell, readings: Sequence[Reading], value: str) -> list[Fault]:
        """The faults of a cell with telephone numbers."""
        return [
            Fault(
                cell.column.name,
                reading.advice,
                value,
                rule=_("doubtful telephone number") if reading.outcome == "doubtful" else _("telephone number"),
                suggestion=reading.suggestion,
                doubtful=reading.outcome == "doubtful",
            )
            for reading in readings
            if reading.outcome != "right"
        ]

    def _numbers_of(self, cells: Sequence[str], field_name: str) -> list[str]:
        """The numbers of one kind in E.164: the first one of each cell, then the others in the next free places."""
        country = self._cell(cells, "country") or self.country
        first, others = [], []
        for cell in self._cells:
            if cell.column.field == field_name and (value := cells[cell.place].strip()):
                numbers = [reading.number for reading in read_numbers(value, country or None)]
                first.append(numbers[0])
                others += numbers[1:]
        return first + others

    def _without_room(self, cells: Sequence[str]) -> list[Fault]:
        """The faults of cells with several numbers for which their kind has no free column."""
        found = []
        for field_name in NUMBERS:
            count = len(self._numbers_of(cells, field_name))
            self._most[field_name] = max(self._most.get(field_name, 0), min(count, MOST_NUMBERS))
            if count > MOST_NUMBERS:
                column = next(cell.column for cell in reversed(self._cells) if cell.column.field == field_name)
                message = _("has no free column for another number: an entry has at most {most} of a kind").format(
                    most=MOST_NUMBERS
                )
                value = self._cell(cells, column.name)
                found.append(Fault(column.name, message, value, rule=_("too many numbers")))
        return found

    @property
    def columns_needed(self) -> tuple[CsvColumn, ...]:
        """The columns of the rows that were checked, with those for the further numbers of their cells."""
        present = {column.name for column in self.columns}
        found = list(self.columns)
        for field_name, most in self._most.items():
            free = [each for each in all_columns().values() if each.field == field_name and each.name not in present]
            found += free[: max(most - sum(each.field == field_name for each in self.columns), 0)]
        return tuple(found)

    def resolved(self, cells: Sequence[str], columns: Sequence[CsvColumn]) -> list[str]:
        """The cells of a valid row in these columns, as a client sends them: with telephone numbers in E.164.

        The row of a deletion has no numbers: nothing reads them.
        """
        numbers = {name: [] if self.action(cells) == "delete" else self._numbers_of(cells, name) for name in NUMBERS}
        found = []
        for column in columns:
            if column.field in numbers:
                found.append(numbers[column.field].pop(0) if numbers[column.field] else "")
            else:
                found.append(cells[self._places[column.name]])
        return found

    def key(self, cells: Sequence[str]) -> dict[str, Any]:
        """The fields that identify the entry of a row."""
        return {LDAP_ID: self._cell(cells, LDAP_ID) or None}

    def entry(self, cells: Sequence[str]) -> dict[str, Any]:
        """The fields of a valid row by their wire names: None for empty cells, telephone numbers as E.164."""
        found: dict[str, Any] = {}
        for cell in self._cells:
            value = cells[cell.place].strip()
            wire = cell.column.field
            if cell.column.several:
                several = found.setdefault(wire, [])
                if value and not cell.telephone:
                    several.append(value)
            else:
                found[wire] = value or None
        for name in NUMBERS:
            if name in found:
                found[name] = self._numbers_of(cells, name)
        return found


def _hint(suggestion: str) -> str:
    return _(" (did you mean {suggestion}?)").format(suggestion=suggestion) if suggestion else ""


def _rule(name: str) -> str:
    return {"eMail": _("email address"), "country": _("country")}.get(name, _("value"))
