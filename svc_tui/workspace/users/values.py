"""The values of a file of users, read as the fields of the service; what was probably meant where they are wrong."""

from __future__ import annotations

import difflib
import json
import re
import zoneinfo
from dataclasses import dataclass
from functools import cache
from typing import Any

from svc_tui.interface.catalogue import body_of
from svc_tui.interface.companies.countries import country_of, folded
from svc_tui.interface.directory.csv.columns import suggested_country
from svc_tui.interface.problems import problem_of
from svc_tui.interface.telephone_numbers import read_numbers
from svc_tui.interface.value_words import LANGUAGE_NAMES
from svc_tui.language import _
from svc_tui.workspace.users.columns import ACTIONS, UserColumn

_OTHER_ACTIONS = {
    **dict.fromkeys(("add", "new", "insert"), "create"),
    **dict.fromkeys(("change", "modify", "edit", "upsert", "sync"), "update"),
    **dict.fromkeys(("remove", "del", "erase", "terminate"), "delete"),
}
_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "1", "x", "wahr", "ja", "vrai", "oui", "verdadero", "verdadeiro", "sim"), True),
    **dict.fromkeys(("false", "no", "0", "falsch", "nein", "faux", "non", "falso", "nao"), False),
}
#: What an export writes before a text that a spreadsheet would take as a formula.
_ESCAPED = re.compile(r"'(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")
#: What a value must be, where the declaration only has a pattern or a length.
_EXPECTED = {
    "country": _("is no country: use a code of three letters, such as PRT"),
    "language": _("is no language: use a code such as en or en-US"),
    "emails": _("is no email address"),
    "loginEmail": _("is no email address"),
}
#: What a spreadsheet writes where a formula has no result, in several languages.
_NO_RESULT = re.compile(r"#(N/A|N/D|NV|[A-ZÀ-Ý/0]+[!?])")
_BETWEEN = re.compile(r"[,;|\n]")


@dataclass(frozen=True, slots=True)
class ValueFault:
    """Why a value is wrong, as the end of a sentence that begins with its column, and what was probably meant."""

    message: str
    rule: str = ""
    suggestion: str = ""
    doubtful: bool = False


def unescaped(cell: str) -> str:
    """A value without the spaces around it and without the apostrophe that an export writes before a formula."""
    return _ESCAPED.sub("", cell.strip(), count=1) if _ESCAPED.match(cell.strip()) else cell.strip()


def action_in(text: str) -> str | ValueFault:
    """The action of a row; empty where it has none: then it creates a user, or updates the one with its login."""
    word = text.casefold()
    if not word or word in ACTIONS:
        return word
    near = _OTHER_ACTIONS.get(word) or next(iter(difflib.get_close_matches(word, ACTIONS, n=1, cutoff=0.6)), "")
    return ValueFault(_("must be one of {actions}").format(actions=", ".join(ACTIONS)), suggestion=near)


def value_of(column: UserColumn, text: str) -> Any | ValueFault:
    """The value of a field, of an address or of a tag."""
    if _NO_RESULT.fullmatch(text):
        return ValueFault(_("is the error of a formula"), _("value"))
    match column.shape:
        case "boolean":
            found = _BOOLEANS.get(folded(text))
            return ValueFault(_("must be true or false"), _("value")) if found is None else found
        case "integer":
            return _checked(column.field, int(text)) if re.fullmatch(r"-?[0-9]{1,12}", text) else _wrong_number()
        case "texts":
            return _checked(column.field, _texts(text))
        case "json":
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                return ValueFault(_("is not valid JSON"), _("value"))
        case "address":
            problem = problem_of(body_of("create_user"), "emails", [{"email": text, "type": "work"}])
            return ValueFault(_EXPECTED["emails"], _("email address")) if problem else text
        case "tag":
            return _checked("tags", [text], text)
        case _:
            return _text(column.field, text)


def _wrong_number() -> ValueFault:
    return ValueFault(_("must be a whole number"), _("value"))


def _checked(wire: str, value: Any, found: Any = None) -> Any | ValueFault:
    problem = problem_of(body_of("create_user"), wire, value)
    return ValueFault(problem, _("value")) if problem else value if found is None else found


def _texts(text: str) -> list[str]:
    """Several values: a list of JSON, or with commas between them."""
    if text.startswith("["):
        try:
            if isinstance(found := json.loads(text), list):
                return [str(each) for each in found]
        except ValueError:
            pass
    return [part.strip() for part in _BETWEEN.split(text) if part.strip()]


def _text(wire: str, text: str) -> str | ValueFault:
    if wire == "country" and (code := country_of(text)):
        text = code
    problem = problem_of(body_of("create_user"), wire, text)
    if not problem:
        return text
    return ValueFault(expected(wire, problem), _("value"), _meant(wire, text))


def _meant(wire: str, text: str) -> str:
    """The valid value that is most probably meant. Empty when none is."""
    match wire:
        case "country":
            return suggested_country(text)
        case "language":
            return _language(text)
        case "timezone":
            return _timezone(text)
        case _:
            return ""


def expected(wire: str, problem: str) -> str:
    """What a value of this field must be, in place of the problem that the declaration names."""
    return _EXPECTED.get(wire, problem)


@cache
def _languages() -> dict[str, str]:
    return {folded(name): code for code, name in LANGUAGE_NAMES.items()}


def _language(text: str) -> str:
    """The code of a language that is named, or written in another way. Empty for other texts."""
    code = re.sub("[_ ]", "-", text.strip())
    first, hyphen, rest = code.partition("-")
    if re.fullmatch("[A-Za-z]{2}", first):
        code = f"{first.lower()}{hyphen}{rest.upper()}"
        if first.lower() in LANGUAGE_NAMES and not problem_of(body_of("create_user"), "language", code):
            return code
    near = difflib.get_close_matches(folded(text), _languages(), n=1, cutoff=0.8)
    return _languages()[near[0]] if near else ""


@cache
def _zones() -> dict[str, str]:
    """The names of time zones, and of their cities, as they are compared -> the name."""
    names = sorted(zoneinfo.available_timezones())
    cities = {folded(name.rpartition("/")[2]): name for name in names if "/" in name}
    return {**cities, **{folded(name): name for name in names}}


def _timezone(text: str) -> str:
    """The name of the time zone that is most probably meant. Empty when none is."""
    near = difflib.get_close_matches(folded(text), _zones(), n=1, cutoff=0.8)
    return _zones()[near[0]] if near else ""


def numbers_in(text: str, country: str) -> tuple[list[str], list[ValueFault]]:
    """The telephone numbers of a value in E.164, and what is wrong or doubtful about it."""
    readings = read_numbers(text, country or None)
    faults = [
        ValueFault(
            reading.advice,
            _("doubtful telephone number") if reading.outcome == "doubtful" else _("telephone number"),
            reading.suggestion,
            reading.outcome == "doubtful",
        )
        for reading in readings
        if reading.outcome != "right"
    ]
    return [reading.number for reading in readings if reading.outcome == "right"], faults
