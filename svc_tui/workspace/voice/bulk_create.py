"""Subscribers from a CSV file: the user and number of each line, why a subscriber cannot be created, and the users that
can get an extension of a CloudPBX, as far as their records and the company's offers show.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.tables import TableRow, read_table
from svc_tui.interface.telephone_numbers import is_emergency
from svc_tui.interface.voice.numbering import MOST_FREE
from svc_tui.language import _
from svc_tui.workspace.core.service import LARGEST_REQUEST, Reader, ReadError

#: Offer ID -> whether its licences are for voice.
VoiceOffers = Mapping[str, bool]
UNKNOWN_OFFERS: VoiceOffers = MappingProxyType({})


async def voice_offers(service: Reader, company_id: str) -> VoiceOffers:
    """The offers in a company's catalog; empty where they cannot be read."""
    if not company_id:
        return UNKNOWN_OFFERS
    query = {"format": "full", "limit": LARGEST_REQUEST, "offset": 0}
    try:
        body = await service.read("list_company_offers", {"companyId": company_id}, query)
    except ReadError:
        return UNKNOWN_OFFERS
    rows = body.get("data") if isinstance(body, dict) else None
    return {str(offer.get("id")): _is_voice(offer) for offer in rows or () if isinstance(offer, Mapping)}


def ineligibility(user: RecordData, system_id: str, offers: VoiceOffers = UNKNOWN_OFFERS) -> str:
    """Why a user cannot get an extension of a CloudPBX; empty if the user can, or if that is unknown."""
    if any(entry.get("systemId") == system_id for entry in user.get("phoneNumbers") or ()):
        return _("already has an extension")
    licences = user.get("profiles") or ()
    if not licences:
        return _("has no licence")
    # A licence of an offer outside the catalog may be for voice.
    if any(_is_voice(licence) or offers.get(str(licence.get("offerId")), True) for licence in licences):
        return ""
    return _("has no licence for voice")


def _is_voice(record: RecordData) -> bool:
    return bool(record.get("hasVoice") or record.get("isVoicePhone"))


#: Most bytes and lines of a file.
MOST_BYTES, MOST_LINES = 4 * 2**20, 2_000
#: The columns, and their headings in small letters without accents, spaces and signs; the first that is there counts.
_HEADINGS: Mapping[str, Sequence[str]] = {
    "who": (
        *("loginemail", "login", "userid", "userprincipalname", "upn", "email", "emailaddress", "mail", "username"),
        *("user", "account", "anmeldung", "benutzername", "benutzer", "adressemail", "courriel", "utilisateur"),
        *("correo", "correoelectronico", "usuario", "utilizador"),
    ),
    "number": (
        *("shortnumber", "extension", "extensionnumber", "ext", "extn", "extno", "extnumber", "internalnumber"),
        *("internalextension", "phoneextension", "sipextension", "durchwahl", "nebenstelle", "nebenstellennummer"),
        *("nst", "internenummer", "numerocourt", "numerointerne", "poste", "numerocorto", "numerointerno", "ramal"),
        *("interno", "anexo", "number", "nummer", "numero"),
    ),
    "password": ("password", "sippassword", "passwort", "sippasswort", "kennwort", "motdepasse", "contrasena", "senha"),
}
#: A number with the decimal places of a spreadsheet.
_IN_SPREADSHEET = re.compile(r"(\d+)[.,]0+")
#: The format of a file, for the dialog.
COLUMNS = _("CSV with a header: loginEmail or userId; shortNumber and password are optional")


class SubscriberFileError(Exception):
    """A file without readable subscribers; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class RequestedSubscriber:
    """A line of the file: the login or id of a user, an optional number and an optional password.

    `problem` is the reason why the line cannot be read; empty when it can.
    """

    line: int
    who: str
    number: str = ""
    password: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SubscriberRows:
    """The lines of a file, and the headings of the columns that are not read."""

    lines: list[RequestedSubscriber]
    unread: list[str]


@dataclass(frozen=True, slots=True)
class PlannedSubscriber:
    """The plan for a line: the body that creates the subscriber, or the problem that prevents it."""

    line: int
    name: str
    number: str
    body: RecordData
    problem: str = ""


def read_subscribers(data: bytes) -> SubscriberRows:
    """The lines of a CSV file as programs write it. SubscriberFileError when it cannot be read."""
    if len(data) > MOST_BYTES:
        raise SubscriberFileError(_("The file is larger than {most_bytes} MiB.").format(most_bytes=MOST_BYTES // 2**20))
    try:
        table = read_table(io.BytesIO(data), lambda names: len(_places(names)), comment="")
    except BadFile as error:
        raise SubscriberFileError(_("The file is not CSV: {error}.").format(error=error)) from error
    headings = table.headings
    places = _places(headings)
    if "who" not in places:
        raise SubscriberFileError(_("The header has no column loginEmail or userId."))
    found = list(_lines(table.rows, places, len(headings)))
    if not found:
        raise SubscriberFileError(_("The file has no lines after the header."))
    if len(found) > MOST_LINES:
        raise SubscriberFileError(_("The file has more than {most_lines} lines.").format(most_lines=MOST_LINES))
    unread = [heading for at, heading in enumerate(headings) if heading and at not in places.values()]
    return SubscriberRows(found, unread)


def _value(cell: str) -> str:
    """A value without what spreadsheets write before it, to keep it as text."""
    plain = cell.strip().removeprefix("'").strip()
    number = _IN_SPREADSHEET.fullmatch(plain)
    return number[1] if number else plain


def _places(headings: Sequence[str]) -> dict[str, int]:
    """The position of each column in the header."""
    names = [_plain(heading) for heading in headings]
    found = {
        column: next((names.index(name) for name in known if name in names), None)
        for column, known in _HEADINGS.items()
    }
    return {column: place for column, place in found.items() if place is not None}


def _plain(heading: str) -> str:
    """A heading in small letters, without accents, spaces and signs."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", heading.casefold()) if sign.isalnum())


def _lines(rows: Iterable[TableRow], places: Mapping[str, int], columns: int) -> Iterator[RequestedSubscriber]:
    for row in rows:
        line, values = row.line, [_value(cell) for cell in row.cells]
        if not any(values):
            continue
        read = {column: values[place] for column, place in places.items() if place < len(values)}
        problem = next((fault.msg for fault in row.faults), "")
        problem = problem or (_("the line has more values than the header") if any(values[columns:]) else "")
        if (number := read.get("number")) and not (number.isascii() and number.isdecimal()):
            problem = problem or _("{number} is no internal number").format(number=number)
        yield RequestedSubscriber(line, **{"who": "", **read}, problem=problem)


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
        problem = (
            each.problem
            or _user_problem(each, user, planned_users, lambda one: ineligibility(one, system_id, offers))
            or _number_problem(each, requested, free, country)
        )
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
