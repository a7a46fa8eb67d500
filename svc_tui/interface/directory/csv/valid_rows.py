"""Rows that are certainly valid, recognised in the text of the file without taking it apart.

One regular expression accepts rows whose cells are plain or simply quoted and pass every check. It accepts no invalid
row; what it does not accept is read and checked in full. It is made from rows that passed the full check: from the
countries and country codes that occur in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.kinds import EMAIL_PATTERN
from svc_tui.interface.directory.csv.checking import NAMES, Checker, plain_length
from svc_tui.interface.directory.csv.columns import ACTION, ACTIONS, LDAP_ID, NUMBERS, CsvColumn
from svc_tui.interface.directory.csv.fast_checks import digits_after, national_patterns
from svc_tui.interface.directory.csv.faults import NUL
from svc_tui.interface.directory.records import LONGEST_TAG, LONGEST_TEXT, STATE_COUNTRIES

#: Valid rows that were checked in full before the expression is made, and made again.
ROWS_TO_LEARN = 500
#: How often the expression is made for one file, and the most countries in it.
_MOST_TIMES, _MOST_COUNTRIES = 12, 6
#: Signs that are part of numbers, codes or addresses cannot delimit cells here.
_UNSUITABLE = re.compile(r"[\w+ .@<>-]")
_INTERNATIONAL = re.compile(r"\+([1-9][0-9]{0,2})")
#: A separator between digits of a number.
_SEPARATOR = "[ .-]?"
_ATOM = re.compile(r"\{[0-9,]+\}|\\d|\[[^]]*\]|[0-9]")


class ValidRows:
    """The expression for the rows of one file: `pattern` matches valid rows; None until enough rows were learnt."""

    def __init__(self, checker: Checker, delimiter: str, comment: str) -> None:
        self.pattern: re.Pattern[str] | None = None
        self._checker = checker
        self._delimiter, self._comment = delimiter, comment
        self._left = 0 if _UNSUITABLE.search(delimiter + comment) else _MOST_TIMES
        self._rows = 0
        self._countries: Counter[str] = Counter()
        self._codes: set[str] = set()
        self._numbers = [place for place, column in enumerate(checker.columns) if column.field in NUMBERS]
        places = {column.name: place for place, column in enumerate(checker.columns)}
        self._country, self._state = places.get("country"), places.get("state")

    def learn(self, cells: Sequence[str]) -> None:
        """Learn from a row that passed the full check."""
        if not self._left:
            return
        national = self._state is not None and bool(cells[self._state])
        for place in self._numbers:
            if (number := cells[place]) and (found := _INTERNATIONAL.match(number)):
                self._codes.add(found[1])
            elif number:
                national = True
        country = cells[self._country].strip() if self._country is not None else ""
        self._countries[(country or self._checker.country) if national else ""] += 1
        self._rows += 1
        if self._rows >= ROWS_TO_LEARN:
            self._rows = 0
            self._left -= 1
            self.pattern = self._made()

    def _made(self) -> re.Pattern[str]:
        countries = [country for country, _ in self._countries.most_common(_MOST_COUNTRIES)]
        codes = frozenset(code[:end] for code in self._codes for end in (1, 2, 3) if digits_after(code[:end]))
        excluded = re.escape(f'"{self._delimiter}{self._comment}{NUL}') + r"\r\n"
        row = "|".join(_row(self._checker, self._delimiter, excluded, country, codes) for country in countries)
        return re.compile(f"(?:{_named(self._checker.columns, self._delimiter, excluded)}(?:{row})\r?\n)*")


def _named(columns: Sequence[CsvColumn], delimiter: str, excluded: str) -> str:
    """A look ahead for a name."""
    skipped = f'(?:[^{excluded}]*|"[^"\r\n]*"){re.escape(delimiter)}'
    places = [place for place, column in enumerate(columns) if column.name in NAMES]
    named = [rf'(?:{skipped}){{{place}}}"?[^\s{excluded}]' for place in places] or ["(?!)"]
    return f"(?={'|'.join(named)})"


def _row(checker: Checker, delimiter: str, excluded: str, country: str, codes: frozenset[str]) -> str:
    """The expression of one row with national numbers of a country; without a country, of one with none."""
    cells = [_cell(checker, column, country, codes, excluded) for column in checker.columns]
    return re.escape(delimiter).join(f'(?:{cell}|"{cell}")' for cell in cells)


def _cell(checker: Checker, column: CsvColumn, country: str, codes: frozenset[str], excluded: str) -> str:
    if column.name == ACTION:
        return f"(?:{'|'.join(ACTIONS)}){'' if checker.synchronizing else '?'}"
    if column.name == LDAP_ID and checker.synchronizing:
        return rf"[^\s{excluded}](?:[^{excluded}]{{0,{LONGEST_TEXT - 2}}}[^\s{excluded}])?"
    if column.name == "country":
        return _country(country, checker.country)
    if column.name == "state":
        return f"[^{excluded}]{{0,{LONGEST_TEXT}}}" if country in STATE_COUNTRIES else ""
    if column.field in NUMBERS:
        return f"(?:{_international(codes)}{_national(country)})?"
    if column.field == "eMail":
        return rf"(?:(?=[^{excluded}]{{3,{LONGEST_TEXT}}}[{excluded}]){_email(excluded)})?"
    if column.field == "tags":
        return rf"(?:[^\s{excluded}](?:[^{excluded}]{{0,{LONGEST_TAG - 2}}}[^\s{excluded}])?)?"
    longest = plain_length(column)
    return "" if longest is None else f"[^{excluded}]{{0,{longest}}}"


def _email(excluded: str) -> str:
    return EMAIL_PATTERN.strip("^$").replace(r"[^\s", rf"[^{excluded}\s")


def _country(country: str, default: str) -> str:
    if not country:
        return f"(?:{'|'.join(sorted(COUNTRIES))})?"
    return f"(?:{re.escape(country)})?" if country == default else re.escape(country)


@lru_cache(maxsize=8)
def _international(codes: frozenset[str]) -> str:
    """Numbers with these country codes, of a possible length and without a national prefix."""
    numbers = [
        rf"{code}{_SEPARATOR}[1-9](?:{_SEPARATOR}[0-9]){{{length - 1}}}"
        for code in sorted(codes)
        for length in sorted(digits_after(code), reverse=True)
    ]
    return rf"\+(?:{'|'.join(numbers)})" if numbers else "(?!)"


@lru_cache(maxsize=64)
def _national(country: str) -> str:
    """National numbers of a country as a further alternative, with single separators between their digits."""
    patterns = national_patterns(country) if country else None
    if patterns is None:
        return ""
    prefix, international, national = (_ATOM.sub(_separated, pattern.pattern) for pattern in patterns)
    number = f"(?:{national})"
    with_prefix = f"(?>{prefix}){number}|(?!{prefix}){number}" if prefix else number
    return f"|(?=[0-9])(?!{international})(?:{with_prefix})"


def _separated(found: re.Match[str]) -> str:
    text = found[0].replace(r"\d", "[0-9]")
    return text if text.startswith("{") else f"(?:{_SEPARATOR}{text})"
