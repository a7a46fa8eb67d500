"""Many subscribers from a CSV file: whose extension a line asks for, which number he gets, what is in the way."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.voice.numbering import MOST_FREE

#: Most bytes and lines of a file.
MOST_BYTES, MOST_LINES = 4 * 2**20, 2_000
#: What the columns may be called, in small letters.
_WHO = ("loginemail", "email", "login", "userid", "user")
_NUMBER = ("shortnumber", "number", "extension")
_PASSWORD = ("password",)
#: What a file holds, for people.
COLUMNS = "CSV with a first line of names: loginEmail or userId; shortNumber and password where you choose them"


class Unreadable(Exception):
    """A file that holds no subscribers; its text is the sentence that says why."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A line of the file as it was typed: a login or an id, a number and a password if they were chosen."""

    line: int
    who: str
    number: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of a line: the body that creates the subscriber, or the sentence that says why none is created."""

    line: int
    name: str
    number: str
    body: Mapping[str, Any]
    problem: str = ""


def wanted_in(data: bytes) -> list[Wanted]:
    """The lines of a CSV file, with commas, semicolons or tabs between their columns. Unreadable, with a sentence."""
    if len(data) > MOST_BYTES:
        raise Unreadable(f"The file is larger than {MOST_BYTES // 2**20} MB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("The file is no text in UTF-8.") from error
    head = text.partition("\n")[0]
    between = max(",;\t", key=head.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=between, strict=True))
    except csv.Error as error:
        raise Unreadable(f"The file is no CSV: {error}.") from error
    found = list(_lines(rows))
    if not found:
        raise Unreadable("The file has no line below its first one.")
    if len(found) > MOST_LINES:
        raise Unreadable(f"The file has more than {MOST_LINES} lines.")
    return found


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[Wanted]:
    names = ["".join(name.lower().split()) for name in rows[0]] if rows else []
    at = {key: _place(names, known) for key, known in (("who", _WHO), ("number", _NUMBER), ("password", _PASSWORD))}
    if at["who"] is None:
        raise Unreadable("The first line names no column loginEmail or userId.")
    for line, row in enumerate(rows[1:], start=2):
        if any(cell.strip() for cell in row):
            cells = {key: row[place].strip() for key, place in at.items() if place is not None and place < len(row)}
            yield Wanted(line, **{"who": "", **cells})


def _place(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((names.index(name) for name in known if name in names), None)


def planned(
    wanted: Sequence[Wanted], users: Iterable[Mapping[str, Any]], free: Sequence[str], system_id: str
) -> list[Planned]:
    """What becomes of each line. Lines without a number get the next of the `free` ones that no other line names.

    `users` are those of the company, with telephone numbers and licences; `system_id` is the CloudPBX.
    """
    known: dict[str, Mapping[str, Any]] = {}
    for each_user in users:
        known |= {str(each_user[wire]).casefold(): each_user for wire in ("id", "loginEmail") if each_user.get(wire)}
    asked = Counter(each.number for each in wanted if each.number)
    left = iter(number for number in free if number not in asked)
    seen: set[str] = set()
    found = []
    for each in wanted:
        user = known.get(each.who.casefold())
        problem = _of_user(each, user, seen, system_id) or _of_number(each, asked, free)
        number = each.number or ("" if problem else next(left, ""))
        if not number and not problem:
            problem = "no free number is left"
        name = str((user or {}).get("displayName") or each.who or "?")
        found.append(Planned(each.line, name, number, _body(each, user, number), problem))
    return found


def _of_user(each: Wanted, user: Mapping[str, Any] | None, seen: set[str], system_id: str) -> str:
    """What is in the way of an extension for the user; he is `seen` from now on."""
    if not each.who:
        return "names no user"
    if user is None:
        return f"the company has no user {each.who}"
    if (id := str(user.get("id"))) in seen:
        return "the user stands in a line above"
    seen.add(id)
    return unfit(user, system_id)


def unfit(user: Mapping[str, Any], system_id: str) -> str:
    """Why a user gets no extension at a CloudPBX, as far as his record tells; empty when he may."""
    if any(entry.get("systemId") == system_id for entry in user.get("phoneNumbers") or ()):
        return "has an extension already"
    return "" if user.get("profiles") else "has no licence"


def _of_number(each: Wanted, asked: Mapping[str, int], free: Sequence[str]) -> str:
    if each.number and asked[each.number] > 1:
        return f"{each.number} stands in several lines"
    # Of very many free numbers not all are told.
    told = each.number in free or len(free) >= MOST_FREE
    return f"{each.number} is not free" if each.number and not told else ""


def _body(each: Wanted, user: Mapping[str, Any] | None, number: str) -> dict[str, Any]:
    body = {"userId": (user or {}).get("id"), "shortNumber": number, "password": each.password}
    return {wire: value for wire, value in body.items() if value}
