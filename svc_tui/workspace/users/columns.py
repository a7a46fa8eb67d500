"""The columns of a file of users, and what the headings of a file are.

Numbers, addresses and tags have numbered columns (`businessPhone0`, `businessPhone1`, …). Exports of this program are
read too: their lists are one value. Headings of other programs mean what they mean in contact files. Fields that the
service sets, and headings of no column, are left out and named; a heading that is nearly one of a column is a fault.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from svc_tui.interface.catalogue import body_of, record_of
from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.programs import generic_target, heading_of, programs
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.language import _

ACTION, LOGIN, PASSWORD = "__action__", "loginEmail", "password"
ACTIONS = ("create", "update", "delete")
#: Columns of one telephone number: type and kind of device.
NUMBERS = {
    "businessPhone": ("work", "landline"),
    "mobilePhone": ("work", "mobile"),
    "businessFax": ("work", "fax"),
    "homePhone": ("home", "landline"),
    "homeMobilePhone": ("home", "mobile"),
    "otherPhone": ("other", "other"),
}
#: Columns of one address: its type.
ADDRESSES = {"email": "work", "homeEmail": "home", "otherEmail": "other"}
TAG = "tag"
#: Most columns of each of them.
MOST_NUMBERED = 10
_NUMBERED = re.compile(r"([A-Za-z]+?)(\d{1,2})?")
#: Columns of contact files -> those of users, where they are called otherwise.
_CONTACT_COLUMNS = {
    "workPhoneNumber": "businessPhone",
    "mobilePhoneNumber": "mobilePhone",
    "otherPhoneNumber": "otherPhone",
}
#: Further headings, folded as those of contact files, and without spaces.
_SYNONYMS = {
    "action": ACTION,
    **dict.fromkeys(("login", "loginemail", "username", "userprincipalname"), LOGIN),
    **dict.fromkeys(("passwort", "kennwort", "motdepasse", "contrasena"), PASSWORD),
    **dict.fromkeys(("department", "abteilung", "departement", "service"), "department"),
    **dict.fromkeys(("timezone", "zeitzone"), "timezone"),
    **dict.fromkeys(("sprache", "langue", "idioma", "preferredlanguage"), "language"),
    "nickname": "nickName",
}
Shape = Literal["action", "text", "boolean", "integer", "texts", "number", "address", "tag", "json"]
_SHAPES: dict[str, Shape] = {"boolean": "boolean", "integer": "integer", "choices": "texts", "texts": "texts"}
_JSON = frozenset({"object", "objects"})


@dataclass(frozen=True, slots=True)
class UserColumn:
    """A column: its heading in the file, its name in the format, the field that it sets and how its values are read."""

    heading: str
    name: str
    field: str
    shape: Shape

    @property
    def base(self) -> str:
        """The name without its number."""
        return self.name.rstrip("0123456789") if self.shape in ("number", "address", "tag") else self.name


@dataclass(frozen=True, slots=True)
class UserColumns:
    """The columns of a file by their place; None is left out. `renamed` are those with another name in the format."""

    columns: tuple[UserColumn | None, ...]

    @property
    def used(self) -> tuple[UserColumn, ...]:
        return tuple(column for column in self.columns if column is not None)

    def find(self, name: str) -> UserColumn | None:
        """The column with this name."""
        return next((column for column in self.used if column.name == name), None)

    def lines(self, headings: Sequence[str]) -> list[str]:
        """What was read as what, and what was left out, as sentences."""
        renamed = [f"{column.heading} → {column.name}" for column in self.used if column.heading != column.name]
        left = [heading for heading, column in zip(headings, self.columns, strict=True) if column is None and heading]
        found = [_("Columns: {columns}.").format(columns="; ".join(renamed))] if renamed else []
        return [*found, *([_("Left out: {columns}.").format(columns=", ".join(left))] if left else [])]


def known_names(headings: Sequence[str]) -> int:
    """How many of these headings mean something in a file of users."""
    return sum(_column(name, ()) is not None or is_left_out(name) for name in headings)


def columns_of(headings: Sequence[str], line: int) -> UserColumns:
    """The columns with these headings. BadFile lists what is unknown, repeated or missing."""
    found: list[UserColumn | None] = []
    wrong = []
    for place, heading in enumerate(headings):
        column = _column(heading, [each.name for each in found if each])
        if column is None and heading and not is_left_out(heading) and (meant := nearest(heading)):
            wrong.append(_("{name} is not a column").format(name=heading) + _hint(meant))
        elif column is not None and any(each and each.name == column.name for each in found):
            wrong.append(_("{name} appears twice").format(name=heading))
            column = None
        elif not heading and place < len(headings) - 1:
            wrong.append(_("column {place} has no name").format(place=place + 1))
        found.append(column)
    found = _with_login(found)
    if not any(column and column.name == LOGIN for column in found):
        wrong.append(_("{name} is missing").format(name=LOGIN))
    if wrong:
        raise BadFile(Code.BAD_COLUMN, "; ".join(wrong[:8]), line=line)
    return UserColumns(tuple(found))


def _with_login(found: list[UserColumn | None]) -> list[UserColumn | None]:
    """The columns of a program without a login: there the first address is the login."""
    if any(column and column.name == LOGIN for column in found):
        return found
    address = next((column for column in found if column and column.name == "email0"), None)
    login = UserColumn(address.heading, LOGIN, LOGIN, "text") if address and address.heading != "email0" else address
    return [login if column is address else column for column in found]


def _column(heading: str, taken: Sequence[str]) -> UserColumn | None:
    """The column that a heading means. `taken` are the names of the columns before it."""
    folded = heading_of(heading)
    name = heading if _shape(heading) else _SYNONYMS.get(folded.replace(" ", ""), "")
    if not name:
        # Upper and lower case do not matter.
        name = next((each for each in _plain_names() if each.casefold() == heading.casefold()), "")
    if not name and heading.partition(".")[0] not in _known_fields() and (target := generic_target(folded)[0]):
        name = "email" if target == "eMail" else _CONTACT_COLUMNS.get(target, target)
    found = _shape(name)
    if found is None:
        return None
    field, shape = found
    if shape in ("number", "address", "tag") and not name[-1].isdigit():
        free = (f"{name}{number}" for number in range(MOST_NUMBERED))
        name = next((each for each in free if each not in taken), f"{name}{MOST_NUMBERED}")
    return UserColumn(heading, name, field, shape)


def _shape(name: str) -> tuple[str, Shape] | None:
    """The field of a column name, and how its values are read; None for a name that is none."""
    if name == ACTION:
        return "", "action"
    parts = _NUMBERED.fullmatch(name)
    if parts is not None and int(parts[2] or 0) < MOST_NUMBERED:
        if parts[1] in NUMBERS:
            return "phoneNumbers", "number"
        if parts[1] in ADDRESSES:
            return "emails", "address"
        if parts[1] == TAG:
            return "tags", "tag"
    spec = field_by_wire(body_of("create_user")).get(name)
    if spec is None or name == "companyId":
        return None
    return name, "json" if spec.kind in _JSON else _SHAPES.get(spec.kind, "text")


def _plain_names() -> list[str]:
    numbered = [f"{name}{number}" for name in (*NUMBERS, *ADDRESSES, TAG) for number in range(MOST_NUMBERED)]
    return [ACTION, *(wire for wire in field_by_wire(body_of("create_user")) if wire != "companyId"), *numbered]


def is_left_out(heading: str) -> bool:
    """Whether a heading is known, but of no column: a field that the service sets, or a column of contact files."""
    wire = heading.partition(".")[0]
    folded = heading_of(heading)
    return wire in _known_fields() or any(program.known(folded) is not None for program in programs())


def nearest(heading: str) -> str:
    """The name of the most similar column; empty when none is similar."""
    known = {name.casefold(): name for name in (*_plain_names(), *NUMBERS, *ADDRESSES)}
    near = difflib.get_close_matches(heading.casefold().replace(" ", "").replace("-", ""), known, n=1, cutoff=0.7)
    return known[near[0]] if near else ""


def _hint(suggestion: str) -> str:
    return _(" (did you mean {suggestion}?)").format(suggestion=suggestion) if suggestion else ""


def _known_fields() -> Mapping[str, FieldSpec]:
    """All fields of a user, with those that the service sets."""
    return field_by_wire(record_of("get_user") or body_of("create_user"))


#: The fields of a number and of an address that a client sends.
_OF_NUMBER = ("number", "country", "type", "deviceType", "isVisibleByOthers")
_OF_ADDRESS = ("email", "type")
#: Fields of the numbers that come from a telephone system, and are not a user's to set.
_OF_SYSTEM = ("isFromSystem", "systemId", "pbxId", "phoneNumberId")

Cells = Sequence[tuple[UserColumn, Any]]


def sent_numbers(numbers: Iterable[RecordData]) -> list[dict[str, Any]]:
    """The numbers of a user as they are sent, without those of a telephone system."""
    own = [each for each in numbers if not any(each.get(name) for name in _OF_SYSTEM)]
    return [_only({**each, "number": each.get("numberE164") or each.get("number")}, _OF_NUMBER) for each in own]


def _only(record: RecordData, names: Sequence[str]) -> dict[str, Any]:
    return {name: record[name] for name in names if record.get(name) is not None}


def merged_numbers(before: Iterable[RecordData], whole: Any, cells: Cells) -> list[dict[str, Any]] | None:
    """The numbers of a user after a row; None where they stay. `whole` is the list of an export."""
    now = sent_numbers(before)
    found = sent_numbers(_records(whole)) if whole is not None else list(now)
    for column, numbers in cells:
        kind = dict(zip(("type", "deviceType"), NUMBERS[column.base], strict=True))
        same = [place for place, each in enumerate(found) if all(each.get(name) == kind[name] for name in kind)]
        _put(found, same, _place(column), [{"number": number, **kind} for number in numbers], "number")
    return None if _plain(found) == _plain(now) else found


def merged_addresses(before: Iterable[RecordData], whole: Any, cells: Cells) -> list[dict[str, Any]] | None:
    """The addresses of a user after a row; None where they stay."""
    now = [_only(each, _OF_ADDRESS) for each in before]
    found = [_only(each, _OF_ADDRESS) for each in _records(whole)] if whole is not None else list(now)
    for column, address in cells:
        kind = ADDRESSES[column.base]
        same = [place for place, each in enumerate(found) if each.get("type") == kind]
        _put(found, same, _place(column), [{"email": address, "type": kind}], "email")
    return None if found == now else found


def merged_tags(before: Iterable[str], whole: Any, cells: Cells) -> list[str] | None:
    """The tags of a user after a row; None where they stay."""
    now = list(before)
    found = list(whole) if whole is not None else list(now)
    for column, tag in cells:
        if tag not in found:
            place = _place(column)
            found[place : place + 1] = [tag]
    return None if found == now else found


def _records(value: Any) -> list[RecordData]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _place(column: UserColumn) -> int:
    return int(column.name.removeprefix(column.base) or 0)


def _put(
    found: list[dict[str, Any]], same: Sequence[int], place: int, values: Sequence[dict[str, Any]], key: str
) -> None:
    """Set the value at a place among those of its kind; further values are added behind."""
    for number, value in enumerate(values):
        if any(each.get(key) == value[key] for each in found):
            continue
        if number == 0 and place < len(same):
            found[same[place]] = {**found[same[place]], **value}
        else:
            found.append(value)


def _plain(numbers: Sequence[RecordData]) -> list[tuple[Any, ...]]:
    """What makes a number the same: the service may add its country."""
    return [tuple(each.get(name) for name in ("number", "type", "deviceType")) for each in numbers]
