"""Validation of rows, and the entry of a valid row. The constraints are those of the fields of an entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any

from svc_tui.fast_dataclasses import dataclass
from svc_tui.interface.directory.csv import suggestions
from svc_tui.interface.directory.csv.columns import ACTION, ACTIONS, LDAP_ID, NUMBERS, CsvColumn
from svc_tui.interface.directory.csv.fast_checks import FastCheck, fast_check, is_national_number
from svc_tui.interface.directory.csv.faults import NUL, Fault
from svc_tui.interface.directory.records import LONGEST_TEXT, NAME_REQUIRED, STATE_COUNTRIES, EntryFields
from svc_tui.interface.problems import problem_of
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.telephone_numbers import e164
from svc_tui.language import _

#: Action of a row without one, except in a synchronisation.
DEFAULT_ACTION = "sync"
#: The columns of which a row needs one.
NAMES = ("firstName", "lastName", "companyName")
_NOT_A_COUNTRY = _("is not a three-letter country code")


@lru_cache(maxsize=8192)
def _telephone(value: str, country: str) -> str:
    """The problem of a telephone number. Empty when it is valid."""
    try:
        e164(value, country or None)
    except ValueError as error:
        return str(error)
    return ""


@lru_cache(maxsize=8192)
def _value_problem(wire: str, value: str, several: bool) -> str:
    return problem_of(EntryFields, wire, [value] if several else value)


def plain_length(column: CsvColumn) -> int | None:
    """Longest value of a column whose only constraint is the length; None for other columns."""
    spec = field_by_wire(EntryFields).get(column.field)
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
    #: Accepts most valid values without further checks.
    is_valid: FastCheck


@dataclass(slots=True)
class Checker:
    """Checks the rows of one file. `country` is the country of the company; it applies to entries without one."""

    columns: Sequence[CsvColumn]
    synchronizing: bool = False
    country: str = ""
    _cells: list[_Cell] = field(init=False)
    _places: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._cells = [
            _Cell(column, place, plain_length(column), column.field in NUMBERS, fast_check(column.field))
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
            suggestion = suggestions.action(action)
            found.append(
                Fault(ACTION, f"{message}{_hint(suggestion)}", action, rule=_("unknown action"), suggestion=suggestion)
            )
        if self.synchronizing and not self._cell(cells, LDAP_ID):
            found.append(Fault(LDAP_ID, _("is required"), rule=_("value missing")))
        return found

    def _values(self, cells: Sequence[str]) -> list[Fault]:
        found = []
        country = self._cell(cells, "country") or self.country
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
            elif (
                not (cell.is_valid(value) or (cell.telephone and is_national_number(value, country))) and value.strip()
            ):
                found += self._value_faults(cell, value.strip(), country)
        state = self._cell(cells, "state")
        if state and country and country not in STATE_COUNTRIES:
            message = _("is allowed only for {countries}; the country is {country}").format(
                countries=_(" and ").join(STATE_COUNTRIES), country=country
            )
            found.append(Fault("state", message, state, rule=_("state not allowed")))
        return found

    def _value_faults(self, cell: _Cell, value: str, country: str) -> list[Fault]:
        name = cell.column.name
        if problem := _value_problem(cell.column.field, value, cell.column.several):
            suggestion = suggestions.country(value) if name == "country" else ""
            message = f"{_NOT_A_COUNTRY}{_hint(suggestion)}" if suggestion else problem
            return [Fault(name, message, value, rule=_rule(name), suggestion=suggestion)]
        if cell.telephone and (problem := _telephone(value, country)):
            return [Fault(name, problem, value, rule=_("telephone number"))]
        return []

    def key(self, cells: Sequence[str]) -> dict[str, Any]:
        """The fields that identify the entry of a row."""
        return {LDAP_ID: self._cell(cells, LDAP_ID) or None}

    def entry(self, cells: Sequence[str]) -> dict[str, Any]:
        """The fields of a valid row by their wire names: None for empty cells, telephone numbers as E.164."""
        country = self._cell(cells, "country") or self.country
        found: dict[str, Any] = {}
        for cell in self._cells:
            value = cells[cell.place].strip()
            wire = cell.column.field
            if cell.column.several:
                several = found.setdefault(wire, [])
                if value:
                    several.append(e164(value, country or None) if cell.telephone else value)
            else:
                found[wire] = value or None
        return found


def _hint(suggestion: str) -> str:
    return _(" (did you mean {suggestion}?)").format(suggestion=suggestion) if suggestion else ""


def _rule(name: str) -> str:
    return {"eMail": _("email address"), "country": _("country")}.get(name, _("value"))
