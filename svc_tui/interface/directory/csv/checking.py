"""When a row is right, and the entry that it means. The constraints are those of the entry's own fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from svc_tui.interface.directory.csv import meant
from svc_tui.interface.directory.csv.columns import ACTION, ACTIONS, LDAP_ID, NUMBERS, Column
from svc_tui.interface.directory.csv.faults import NUL, Fault
from svc_tui.interface.directory.csv.quick import Surely, is_at_home, surely
from svc_tui.interface.directory.records import LONGEST_TEXT, NAME_REQUIRED, STATE_COUNTRIES, EntryFields
from svc_tui.interface.problems import problem_of
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.voice.numbers import e164

#: What a row without a word does in a plain import.
DEFAULT_ACTION = "sync"
_NAMES = ("firstName", "lastName", "companyName")
_NO_COUNTRY = "is no country code of three letters"


@lru_cache(maxsize=8192)
def _telephone(value: str, country: str) -> str:
    """What is wrong with a telephone number; empty when nothing is."""
    try:
        e164(value, country or None)
    except ValueError as error:
        return str(error)
    return ""


@lru_cache(maxsize=8192)
def _value_problem(wire: str, value: str, several: bool) -> str:
    return problem_of(EntryFields, wire, [value] if several else value)


def _plain_length(column: Column) -> int | None:
    """Longest value of a column whose length is its only constraint."""
    spec = field_by_wire(EntryFields).get(column.field)
    if spec is None or column.several or spec.kind != "text" or spec.pattern or spec.max_length is None:
        return LONGEST_TEXT if column.name == LDAP_ID else None
    return spec.max_length


@dataclass(frozen=True, slots=True)
class _Cell:
    """A column with what it takes to check its cells."""

    column: Column
    place: int
    longest: int | None
    telephone: bool
    #: Lets most values through at once.
    surely: Surely


@dataclass(slots=True)
class Checker:
    """Checks rows of one file. `country` is that of the company, where an entry names none of its own."""

    columns: Sequence[Column]
    synchronizing: bool = False
    country: str = ""
    _cells: list[_Cell] = field(init=False)
    _places: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._cells = [
            _Cell(column, place, _plain_length(column), column.field in NUMBERS, surely(column.field))
            for place, column in enumerate(self.columns)
            if column.name != ACTION
        ]
        self._places = {column.name: place for place, column in enumerate(self.columns)}

    def _cell(self, cells: Sequence[str], name: str) -> str:
        place = self._places.get(name)
        return cells[place].strip() if place is not None and place < len(cells) else ""

    def action(self, cells: Sequence[str]) -> str:
        """What a row does with its entry."""
        said = self._cell(cells, ACTION)
        return said if said or self.synchronizing else DEFAULT_ACTION

    def check(self, cells: Sequence[str]) -> list[Fault]:
        """Everything that is wrong with a row; nothing when it is right."""
        if len(cells) != len(self.columns):
            said = f"has {len(cells)} values where the first line names {len(self.columns)} columns"
            return [Fault("", said, rule="another number of values")]
        found = self._keys(cells)
        if self.action(cells) != "delete":
            found += self._values(cells)
            if not self._may_lack_names(cells) and not any(self._cell(cells, name) for name in _NAMES):
                found.append(Fault(next((n for n in _NAMES if n in self._places), ""), NAME_REQUIRED, rule="no name"))
        if not found and NUL in "".join(cells):
            found += self._with_nul(cells)
        return found

    def _with_nul(self, cells: Sequence[str]) -> list[Fault]:
        said = "has a character that cannot be stored: NUL"
        return [
            Fault(column.name, said, cell, rule="characters")
            for column, cell in zip(self.columns, cells, strict=True)
            if NUL in cell
        ]

    def _may_lack_names(self, cells: Sequence[str]) -> bool:
        # An upsert of an entry that is there need not repeat its names.
        return self.synchronizing and self.action(cells) == "upsert"

    def _keys(self, cells: Sequence[str]) -> list[Fault]:
        found = []
        action = self.action(cells)
        if action not in ACTIONS:
            said = f"is none of {', '.join(ACTIONS)}" if action else f"is required: one of {', '.join(ACTIONS)}"
            proposal = meant.action(action)
            found.append(Fault(ACTION, f"{said}{_or(proposal)}", action, rule="unknown action", proposal=proposal))
        if self.synchronizing and not self._cell(cells, LDAP_ID):
            found.append(Fault(LDAP_ID, "is required", rule="missing value"))
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
                    said = f"has {len(value)} characters, at most {cell.longest}"
                    found.append(Fault(cell.column.name, said, value, rule="too long"))
            elif not (cell.surely(value) or (cell.telephone and is_at_home(value, country))) and value.strip():
                found += self._judged(cell, value.strip(), country)
        state = self._cell(cells, "state")
        if state and country and country not in STATE_COUNTRIES:
            said = f"is for {' and '.join(STATE_COUNTRIES)} only; the country is {country}"
            found.append(Fault("state", said, state, rule="state elsewhere"))
        return found

    def _judged(self, cell: _Cell, value: str, country: str) -> list[Fault]:
        name = cell.column.name
        if problem := _value_problem(cell.column.field, value, cell.column.several):
            proposal = meant.country(value) if name == "country" else ""
            said = f"{_NO_COUNTRY}{_or(proposal)}" if proposal else problem
            return [Fault(name, said, value, rule=_rule(name), proposal=proposal)]
        if cell.telephone and (problem := _telephone(value, country)):
            return [Fault(name, problem, value, rule="telephone number")]
        return []

    def key(self, cells: Sequence[str]) -> dict[str, Any]:
        """What identifies the entry of a row, whose other cells do not matter."""
        return {LDAP_ID: self._cell(cells, LDAP_ID) or None}

    def entry(self, cells: Sequence[str]) -> dict[str, Any]:
        """The fields of a right row by their wire names: None where a cell is empty, numbers as E.164."""
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


def _or(proposal: str) -> str:
    return f" (did you mean {proposal}?)" if proposal else ""


def _rule(name: str) -> str:
    return {"eMail": "mail address", "country": "country"}.get(name, "value")
