"""The columns of a directory file, derived from the fields of an entry, and suggested values in place of invalid
ones.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from svc_tui.interface import catalogue
from svc_tui.interface.companies.countries import folded, names
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.values import MOST_NUMBERS, MOST_TAGS
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import fields_of
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.interface.records import Record


ACTION, LDAP_ID = "__action__", "ldap_id"
ACTIONS = ("delete", "upsert", "sync")

#: Fields with several values: the name of their columns without its number, and how many columns they have.
_SPREAD = {
    "workPhoneNumbers": ("workPhoneNumber", MOST_NUMBERS),
    "mobilePhoneNumbers": ("mobilePhoneNumber", MOST_NUMBERS),
    "otherPhoneNumbers": ("otherPhoneNumber", MOST_NUMBERS),
    "tags": ("tag", MOST_TAGS),
}
NUMBERS = ("workPhoneNumbers", "mobilePhoneNumbers", "otherPhoneNumbers")


#: Column names of other programs, in lower case and without spaces.
_OTHER_NAMES = {
    **dict.fromkeys(("phone", "telephone", "tel", "work", "office", "number"), "workPhoneNumber0"),
    **dict.fromkeys(("mobile", "cell", "cellphone", "mobilephone"), "mobilePhoneNumber0"),
    **dict.fromkeys(("home", "homephone", "fax"), "otherPhoneNumber0"),
    **dict.fromkeys(("surname", "familyname", "name"), "lastName"),
    **dict.fromkeys(("givenname", "forename"), "firstName"),
    **dict.fromkeys(("organisation", "organization"), "companyName"),
    **dict.fromkeys(("zip", "zipcode", "postcode"), "postalCode"),
    **dict.fromkeys(("mail", "emailaddress", "workemail", "homeemail"), "eMail"),
    **dict.fromkeys(("title", "position"), "jobTitle"),
    **dict.fromkeys(("address", "road"), "street"),
    **dict.fromkeys(("town", "place"), "city"),
    **dict.fromkeys(("custom", "note", "notes", "comment"), "custom1"),
}


@dataclass(frozen=True, slots=True)
class CsvColumn:
    """A column, and the field of an entry that it contains, alone or as one of several values."""

    name: str
    field: str
    several: bool = False


def entry_fields() -> type[Record]:
    """The declared fields of an entry."""
    return catalogue.body_of("update_directory_entry")


@cache
def all_columns() -> dict[str, CsvColumn]:
    """All columns by name."""
    found = [CsvColumn(ACTION, ""), CsvColumn(LDAP_ID, LDAP_ID)]
    for spec in fields_of(entry_fields()):
        if spec.wire in _SPREAD:
            name, many = _SPREAD[spec.wire]
            found += [CsvColumn(f"{name}{index}", spec.wire, several=True) for index in range(many)]
        else:
            found.append(CsvColumn(spec.wire, spec.wire))
    return {column.name: column for column in found}


def nearest(name: str) -> str:
    """The column with the most similar name. Empty when no name is similar."""
    folded = {known.casefold(): known for known in all_columns()}
    given = name.strip().casefold().replace(" ", "").replace("-", "")
    for attempt in (given, given.replace("_", ""), f"{given.rstrip('0123456789s')}0"):
        if attempt in folded:
            return folded[attempt]
    if (other := given.replace("_", "").rstrip("0123456789")) in _OTHER_NAMES:
        return _OTHER_NAMES[other]
    near = difflib.get_close_matches(given, folded, n=1, cutoff=0.7)
    if not near:
        return ""
    first = f"{near[0].rstrip('0123456789')}0"
    # Of numbered columns the first one, unless a number was given.
    return folded[first if first in folded and given[-1] not in "0123456789" else near[0]]


def suggested_columns(cells: Sequence[str]) -> dict[int, str]:
    """Position of each unknown or repeated column name -> the column to use instead.

    Each column is suggested once. A suggestion is empty when no unused column has a similar name.
    """
    names = [cell.strip() for cell in cells]
    taken = {name for name in names if name in all_columns()}
    found: dict[int, str] = {}
    for place, name in enumerate(names):
        if name not in all_columns() or name in names[:place]:
            found[place] = _free(name if name in all_columns() else nearest(name), taken)
            taken.add(found[place])
    return found


def _free(name: str, taken: set[str]) -> str:
    """The column, or the next unused column of the same field; empty when there is none."""
    if not name or name not in taken:
        return name
    if not all_columns()[name].several:
        return ""
    kind = all_columns()[name].field
    return next((other.name for other in all_columns().values() if other.field == kind and other.name not in taken), "")


def header(cells: Sequence[str], line: int, *, synchronizing: bool = False) -> tuple[CsvColumn, ...]:
    """The columns that the first line names. BadFile lists all unknown, repeated and missing columns."""
    names = [cell.strip() for cell in cells]
    suggested = suggested_columns(cells)
    wrong = []
    for place, name in enumerate(names):
        if not name:
            wrong.append(_("column {place} has no name").format(place=place + 1))
        elif name not in all_columns():
            suggestion = suggested[place]
            wrong.append(
                _("{name} is not a column").format(name=name)
                + (_(" (did you mean {suggestion}?)").format(suggestion=suggestion) if suggestion else "")
            )
        elif name in names[:place]:
            wrong.append(_("{name} appears twice").format(name=name))
    if synchronizing:
        wrong += [_("{name} is missing").format(name=name) for name in (ACTION, LDAP_ID) if name not in names]
    if wrong:
        raise BadFile(Code.BAD_COLUMN, "; ".join(wrong[:8]), line=line)
    return tuple(all_columns()[name] for name in names)


_OTHER_ACTIONS = {
    **dict.fromkeys(("update", "insert", "create", "add", "new", "modify", "change"), "upsert"),
    **dict.fromkeys(("remove", "del", "erase"), "delete"),
    **dict.fromkeys(("synchronize", "synchronise", "replace"), "sync"),
}


@lru_cache(maxsize=8192)
def suggested_country(value: str) -> str:
    """The three-letter code of the country in this text. Empty when none is similar."""
    text, known = folded(value), names()
    if text in known or len(text) < 5:
        return known.get(text, "")
    near = difflib.get_close_matches(text, (name for name in known if len(name) > 3), n=1, cutoff=0.85)
    return known[near[0]] if near else ""


def suggested_action(value: str) -> str:
    """The action with this meaning. Empty when it is unknown."""
    word = value.strip().casefold()
    return word if word in ACTIONS else _OTHER_ACTIONS.get(word, "")
