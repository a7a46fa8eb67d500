"""The columns of a directory file, derived from the fields of an entry."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.records import MOST_NUMBERS, MOST_TAGS, EntryFields
from svc_tui.interface.errors import Code
from svc_tui.interface.records import fields_of

ACTION, LDAP_ID = "__action__", "ldap_id"
ACTIONS = ("delete", "upsert", "sync")

#: Fields with several values: the column they are spread over, and how many of it there are.
_SPREAD = {
    "workPhoneNumbers": ("workPhoneNumber", MOST_NUMBERS),
    "mobilePhoneNumbers": ("mobilePhoneNumber", MOST_NUMBERS),
    "otherPhoneNumbers": ("otherPhoneNumber", MOST_NUMBERS),
    "tags": ("tag", MOST_TAGS),
}
NUMBERS = ("workPhoneNumbers", "mobilePhoneNumbers", "otherPhoneNumbers")


#: What other programs call them, without blanks and capital letters.
_ALSO_CALLED = {
    **dict.fromkeys(("phone", "telephone", "tel", "work", "office", "number"), "workPhoneNumber0"),
    **dict.fromkeys(("mobile", "cell", "cellphone", "mobilephone"), "mobilePhoneNumber0"),
    **dict.fromkeys(("home", "homephone", "fax"), "otherPhoneNumber0"),
    **dict.fromkeys(("surname", "familyname", "name"), "lastName"),
    **dict.fromkeys(("givenname", "forename"), "firstName"),
    **dict.fromkeys(("organisation", "organization"), "companyName"),
    **dict.fromkeys(("zip", "zipcode", "postcode"), "postalCode"),
    **dict.fromkeys(("mail", "emailaddress"), "eMail"),
    **dict.fromkeys(("title", "position"), "jobTitle"),
    **dict.fromkeys(("address", "road"), "street"),
    **dict.fromkeys(("town", "place"), "city"),
    **dict.fromkeys(("custom", "note", "notes", "comment"), "custom1"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the field of the entry that it fills, alone or as one of several values."""

    name: str
    field: str
    several: bool = False


def _columns() -> dict[str, Column]:
    found = [Column(ACTION, ""), Column(LDAP_ID, LDAP_ID)]
    for spec in fields_of(EntryFields):
        if spec.wire in _SPREAD:
            name, many = _SPREAD[spec.wire]
            found += [Column(f"{name}{index}", spec.wire, several=True) for index in range(many)]
        else:
            found.append(Column(spec.wire, spec.wire))
    return {column.name: column for column in found}


#: Every column there is, by its name.
COLUMNS = _columns()


def nearest(name: str) -> str:
    """The column that a name was probably meant to be; empty when none is near."""
    folded = {known.casefold(): known for known in COLUMNS}
    asked = name.strip().casefold().replace(" ", "").replace("-", "")
    for attempt in (asked, asked.replace("_", ""), f"{asked.rstrip('0123456789s')}0"):
        if attempt in folded:
            return folded[attempt]
    if (other := asked.replace("_", "").rstrip("0123456789")) in _ALSO_CALLED:
        return _ALSO_CALLED[other]
    near = difflib.get_close_matches(asked, folded, n=1, cutoff=0.7)
    if not near:
        return ""
    first = f"{near[0].rstrip('0123456789')}0"
    # Of several alike the first one is meant, unless another one was written.
    return folded[first if first in folded and asked[-1] not in "0123456789" else near[0]]


def proposals(cells: Sequence[str]) -> dict[int, str]:
    """The names that are none, or named twice, by their places; with each the column that it was probably meant to be.

    Every column is proposed once; where none is left or near the proposal is empty.
    """
    names = [cell.strip() for cell in cells]
    taken = {name for name in names if name in COLUMNS}
    found: dict[int, str] = {}
    for place, name in enumerate(names):
        if name not in COLUMNS or name in names[:place]:
            found[place] = _free(name if name in COLUMNS else nearest(name), taken)
            taken.add(found[place])
    return found


def _free(name: str, taken: set[str]) -> str:
    """The column itself, or the next one of its kind that is not taken; empty when there is none."""
    if not name or name not in taken:
        return name
    if not COLUMNS[name].several:
        return ""
    kind = COLUMNS[name].field
    return next((other.name for other in COLUMNS.values() if other.field == kind and other.name not in taken), "")


def header(cells: Sequence[str], line: int, *, synchronizing: bool = False) -> tuple[Column, ...]:
    """The columns that the first line names. BadFile for unknown, doubled, and missing ones; all are told at once."""
    names = [cell.strip() for cell in cells]
    wrong = []
    for place, name in enumerate(names):
        if not name:
            wrong.append(f"column {place + 1} has no name")
        elif name not in COLUMNS:
            meant = nearest(name)
            wrong.append(f"{name} is no column" + (f" (did you mean {meant}?)" if meant else ""))
        elif name in names[:place]:
            wrong.append(f"{name} is named twice")
    if synchronizing:
        wrong += [f"{name} is missing" for name in (ACTION, LDAP_ID) if name not in names]
    if wrong:
        raise BadFile(Code.BAD_COLUMN, "; ".join(wrong[:8]), line=line)
    return tuple(COLUMNS[name] for name in names)
