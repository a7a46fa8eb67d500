"""Subscribers from a CSV file: the user and number of each line, and why a subscriber cannot be created."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from svc_tui.fast_dataclasses import dataclass
from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import is_emergency
from svc_tui.interface.voice.numbering import MOST_FREE
from svc_tui.language import _
from svc_tui.workspace.files.text import delimiter_of
from svc_tui.workspace.voice.eligibility import UNKNOWN_OFFERS, VoiceOffers, ineligibility

#: Most bytes and lines of a file.
MOST_BYTES, MOST_LINES = 4 * 2**20, 2_000
#: Names of the columns, in small letters.
_WHO = ("loginemail", "email", "login", "userid", "user")
_NUMBER = ("shortnumber", "number", "extension")
_PASSWORD = ("password",)
#: The format of a file, for the dialog.
COLUMNS = _("CSV with a header: loginEmail or userId; shortNumber and password are optional")


class SubscriberFileError(Exception):
    """A file without readable subscribers; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class RequestedSubscriber:
    """A line of the file: the login or id of a user, an optional number and an optional password."""

    line: int
    who: str
    number: str = ""
    password: str = ""


@dataclass(frozen=True, slots=True)
class PlannedSubscriber:
    """The plan for a line: the body that creates the subscriber, or the problem that prevents it."""

    line: int
    name: str
    number: str
    body: RecordData
    problem: str = ""


def read_subscribers(data: bytes) -> list[RequestedSubscriber]:
    """The lines of a CSV file with commas, semicolons or tabs. SubscriberFileError when it cannot be read."""
    if len(data) > MOST_BYTES:
        raise SubscriberFileError(_("The file is larger than {most_bytes} MiB.").format(most_bytes=MOST_BYTES // 2**20))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SubscriberFileError(_("The file is not UTF-8 text.")) from error
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter_of(text), strict=True))
    except csv.Error as error:
        raise SubscriberFileError(_("The file is not CSV: {error}.").format(error=error)) from error
    found = list(_lines(rows))
    if not found:
        raise SubscriberFileError(_("The file has no lines after the header."))
    if len(found) > MOST_LINES:
        raise SubscriberFileError(_("The file has more than {most_lines} lines.").format(most_lines=MOST_LINES))
    return found


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[RequestedSubscriber]:
    names = ["".join(name.lower().split()) for name in rows[0]] if rows else []
    at = {key: _place(names, known) for key, known in (("who", _WHO), ("number", _NUMBER), ("password", _PASSWORD))}
    if at["who"] is None:
        raise SubscriberFileError(_("The header has no column loginEmail or userId."))
    for line, row in enumerate(rows[1:], start=2):
        if any(cell.strip() for cell in row):
            cells = {key: row[place].strip() for key, place in at.items() if place is not None and place < len(row)}
            yield RequestedSubscriber(line, **{"who": "", **cells})


def _place(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((names.index(name) for name in known if name in names), None)


def plan_subscribers(
    requests: Sequence[RequestedSubscriber],
    users: Iterable[RecordData],
    free: Sequence[str],
    system_id: str,
    offers: VoiceOffers = UNKNOWN_OFFERS,
    country: str | None = None,
) -> list[PlannedSubscriber]:
    """The plan for each line. Lines without a number get the next `free` number that no other line requests.

    `users` are those of the company, with telephone numbers and licences; `system_id` and `country` are those of the
    CloudPBX, `offers` those of the company.
    """
    known: dict[str, RecordData] = {}
    for each_user in users:
        known |= {str(each_user[wire]).casefold(): each_user for wire in ("id", "loginEmail") if each_user.get(wire)}
    requested = Counter(each.number for each in requests if each.number)
    left = iter(number for number in free if number not in requested)
    planned_users: set[str] = set()
    found = []
    for each in requests:
        user = known.get(each.who.casefold())
        problem = _user_problem(
            each, user, planned_users, lambda one: ineligibility(one, system_id, offers)
        ) or _number_problem(each, requested, free, country)
        number = each.number or ("" if problem else next(left, ""))
        if not number and not problem:
            problem = _("no free number is left")
        name = str((user or {}).get("displayName") or each.who or "?")
        found.append(PlannedSubscriber(each.line, name, number, _body(each, user, number), problem))
    return found


def _user_problem(
    each: RequestedSubscriber,
    user: RecordData | None,
    planned_users: set[str],
    unfit_reason: Callable[[RecordData], str],
) -> str:
    """Why the user cannot get an extension; the user is added to `planned_users`."""
    if not each.who:
        return _("no user given")
    if user is None:
        return _("the company has no user {who}").format(who=each.who)
    if (id := str(user.get("id"))) in planned_users:
        return _("the user is also in an earlier line")
    planned_users.add(id)
    return unfit_reason(user)


def _number_problem(
    each: RequestedSubscriber, requested: Mapping[str, int], free: Sequence[str], country: str | None
) -> str:
    if each.number and requested[each.number] > 1:
        return _("{number} is in several lines").format(number=each.number)
    if each.number and is_emergency(each.number, country):
        return _("{number} is an emergency number").format(number=each.number)
    # A long list of free numbers is not complete.
    possible = each.number in free or len(free) >= MOST_FREE
    return _("{number} is not free").format(number=each.number) if each.number and not possible else ""


def _body(each: RequestedSubscriber, user: RecordData | None, number: str) -> dict[str, Any]:
    body = {"userId": (user or {}).get("id"), "shortNumber": number, "password": each.password}
    return {wire: value for wire, value in body.items() if value}
