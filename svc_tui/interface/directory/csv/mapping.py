"""What the columns of a file are in the format of the service, and the rows of the service that its rows become.

A target is the name of a column of the service. Several columns may have the same one: numbers fill `0`, `1`, … in the
order of the columns, other values are joined. Of columns with different ranks, such as those of the business and of the
home address, the first rank with a value counts.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from svc_tui.interface.companies.countries import country_of, folded
from svc_tui.interface.directory.csv.columns import NUMBERS, CsvColumn, all_columns
from svc_tui.interface.directory.csv.dialects import visible
from svc_tui.interface.directory.values import STATE_COUNTRIES
from svc_tui.language import _

_ADDRESS = frozenset({"street", "postalCode", "city", "state", "country"})
_NAMES = frozenset({"firstName", "lastName"})
#: Targets whose columns programs divide: `Street 2`, `Middle Name`.
JOINED = frozenset({"street", "firstName"})
_LAST = 99
#: Between the values of one cell, in exports of Google.
SEVERAL = " ::: "
#: How `csvde` writes texts beyond ASCII.
_HEXADECIMAL = re.compile(r"X'((?:[0-9A-Fa-f]{2})+)'")
#: X.500 addresses of Exchange, and names of guests in Entra, which receive no mail.
_INTERNAL_ADDRESS = re.compile(r"/o=|.*#EXT#", re.IGNORECASE)
_LINE_END = re.compile(r"\s*[\r\n]+\s*")


@cache
def all_targets() -> dict[str, tuple[CsvColumn, ...]]:
    """A target without its number -> the columns of this field, in their order."""
    groups = itertools.groupby(
        all_columns().values(), lambda column: column.name.rstrip("0123456789") if column.several else column.name
    )
    return {target: tuple(columns) for target, columns in groups}


@cache
def _number_targets() -> frozenset[str]:
    return frozenset(base for base, columns in all_targets().items() if columns[0].field in NUMBERS)


@dataclass(frozen=True, slots=True)
class Source:
    """A column of a file and what it is: `target`, or left out without one.

    `label`: the position of the column that names the kind of the number in this one. `place`: the number of the target
    that was named; columns with one come first.
    """

    heading: str
    target: str = ""
    rank: int = 0
    label: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """The columns of a file, what they are, and the program whose headings they have (empty for those of a user)."""

    sources: tuple[Source, ...]
    columns: tuple[CsvColumn, ...]
    program: str = ""

    @property
    def taken(self) -> list[tuple[str, str]]:
        """Heading and target of each column that is taken over."""
        return [(source.heading, source.target) for source in self.sources if source.target]

    @property
    def left_out(self) -> list[str]:
        """The headings of the other columns."""
        labels = {source.label for source in self.sources}
        return [
            source.heading
            for place, source in enumerate(self.sources)
            if not source.target and source.heading and place not in labels
        ]

    def row(self, cells: Sequence[str]) -> list[str]:
        """The cells of a row in the columns of the service. Missing cells are empty."""
        placed = [
            (source, cells[place])
            for place, source in enumerate(self.sources)
            if source.target and place < len(cells) and cells[place]
        ]
        values = values_of(placed, cells, joins=JOINED if self.program else frozenset(all_targets()))
        return row_of(values, self.columns)


def values_of(
    placed: Iterable[tuple[Source, str]], cells: Sequence[str], *, joins: frozenset[str]
) -> dict[str, list[str]]:
    """Target -> the values for its columns, in their order. Several values of the targets `joins` are joined."""
    found = [(source, text) for source, value in placed if (text := _clean(source, value))]
    found.sort(key=lambda each: _LAST if each[0].place is None else each[0].place)
    first: dict[frozenset[str], int] = {}
    for source, _text in found:
        group = _group(source.target)
        first[group] = min(first.get(group, source.rank), source.rank)
    values: dict[str, list[str]] = {}
    for source, text in found:
        if source.rank == first[_group(source.target)]:
            for target, value in _parts(source, text, cells):
                values.setdefault(target, []).append(value)
    return _finished(values, joins)


def row_of(values: Mapping[str, list[str]], columns: Sequence[CsvColumn]) -> list[str]:
    """The cells of a row. The last column of a target has all values that remain, to be read as several numbers."""
    behind = (*columns[1:], None)
    return [
        _taken(values, column, following is None or following.field != column.field)
        for column, following in zip(columns, behind, strict=True)
    ]


def mapping_of(sources: Iterable[Source], program: str = "") -> ColumnMapping:
    """The mapping of these columns. ValueError, with a sentence, where more columns have a target than there are."""
    sources = tuple(sources)
    columns: list[CsvColumn] = []
    for target, several in all_targets().items():
        count = sum(
            source.target == target or (source.label is not None and target in _number_targets()) for source in sources
        )
        if several[0].several and count > len(several):
            message = _("{count} columns are {target}, but an entry has at most {most}")
            raise ValueError(message.format(count=count, target=target, most=len(several)))
        columns += several[:count]
    return ColumnMapping(sources, tuple(columns), program)


def target_of(name: str) -> tuple[str, int | None]:
    """The target that a name means, and its number if it has one: `workPhoneNumber0`. ValueError for any other name."""
    if name in all_targets():
        return name, None
    if name not in all_columns():
        raise ValueError(_("{name} is not a column of the service").format(name=name))
    target = name.rstrip("0123456789")
    return target, int(name.removeprefix(target))


def _group(target: str) -> frozenset[str]:
    """The targets that are taken from columns of one rank."""
    if target in _ADDRESS:
        return _ADDRESS
    return _NAMES if target in _NAMES else frozenset({target})


def _clean(source: Source, text: str) -> str:
    if found := _HEXADECIMAL.fullmatch(text.strip()):
        text = bytes.fromhex(found[1]).decode("utf-8", "replace")
    text = visible(text).strip()
    if source.target not in _number_targets():
        text = _LINE_END.sub(" ", text)
    return "" if source.target == "eMail" and _INTERNAL_ADDRESS.match(text) else text


def _parts(source: Source, text: str, cells: Sequence[str]) -> list[tuple[str, str]]:
    """Target and value of each part of a value."""
    parts = [part.strip() for part in text.split(SEVERAL.strip()) if part.strip()] or [text]
    target = source.target
    if source.label is not None:
        target = kind_of_number(cells[source.label] if source.label < len(cells) else "")
    if target in _number_targets():
        return [(target, part) for part in parts]
    return [(target, parts[0])]


def _finished(found: dict[str, list[str]], joins: frozenset[str]) -> dict[str, list[str]]:
    """The values with those that belong together joined, and countries as their codes."""
    for target, values in found.items():
        if target == "country":
            found[target] = [next((code for value in values if (code := country_of(value))), values[0])]
        elif not all_targets()[target][0].several:
            found[target] = [" ".join(dict.fromkeys(values)) if target in joins else values[0]]
    if "state" in found and found.get("country", [""])[0] not in STATE_COUNTRIES:
        # The service takes no others.
        del found["state"]
    return found


def _taken(values: Mapping[str, list[str]], column: CsvColumn, last: bool) -> str:
    target, place = target_of(column.name)
    several = values.get(target, [])[place or 0 :]
    return SEVERAL.join(several if last and column.several else several[:1])


OTHER = "otherPhoneNumber"
_TABLES = Path(__file__).with_name("headings.toml")
_NO_LABEL = re.compile(r"[*:]+")


@cache
def tables() -> dict[str, dict[str, Any]]:
    """The tables of headings and labels, by their names."""
    return tomllib.loads(_TABLES.read_text(encoding="utf-8"))


@lru_cache(maxsize=1024)
def kind_of_number(label: str) -> str:
    """The target of a number with this label: other numbers for those of the home, and for unknown labels."""
    words = folded(_NO_LABEL.sub(" ", label)).split()
    return next((kind for kind, known in tables()["labels"].items() if not set(known).isdisjoint(words)), OTHER)
