"""The terms of a typed filter, and how they are written. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from svc_tui.workspace.lists.ranges import range_of

#: How a term is compared: with a part of the text, its letters in this order, the whole text, as a regular expression
#: or as a range.
Match = Literal["part", "letters", "whole", "expression", "range"]
#: One term: `!`, a column with its colon and maybe `!`, a sign, then an expression, a text in quotes, or a word.
_TERM = re.compile(
    r"(?P<no>!?)(?:(?P<column>[\w.]+):(?P<not>!?))?"
    r"(?:/(?P<closed>(?:[^/\\]|\\.)+)/(?=\s|$)|/(?P<open>\S+)"
    r'|(?P<sign>~|>=|<=|>|<|=)?(?:"(?P<quoted>(?:[^"\\]|\\.)*)"?|(?P<word>\S*)))',
    re.DOTALL,
)
#: A MAC address, or its beginning: pairs, or fours, of hexadecimal digits with colons. Its first digits name no column.
#: Fewer pairs that can be a time of day, as in `da:12:30`, are no address.
_ADDRESS = re.compile(
    r"(?P<no>!?)(?P<address>(?:[0-9a-f]{2}:){4,}[0-9a-f]{0,2}|(?:[0-9a-f]{4}:){2}[0-9a-f]{1,4}"
    r"|[0-9a-f]{2}:(?![0-9]{2}(?::[0-9]{0,2}){1,2}(?:\s|$))(?:[0-9a-f]{2}:){1,2}[0-9a-f]{0,2})(?=\s|$)",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SLASH = re.compile(r"(\\.)|/", re.DOTALL)
_SIGNS: dict[str, Match] = {"": "part", "~": "letters", "=": "whole"}
#: A column, a sign and a value with spaces between them, without the colon, or with another writing of the sign.
_FREE = re.compile(
    r"(?P<no>!?)(?P<column>[\w.]+)(?P<colon>\s*:)?\s*"
    r"(?P<sign>!?(?:<=|>=|=<|=>|<>|!=|==|[<>=‹›≤≥≠＜＞＝])|(?<=:)\s*!?~?)?\s*(?P<value>\"[^\"]*\"?|\S*)"
)
#: A word that reads as text also without quotation marks.
_PLAIN = re.compile(r"[^\s\"!~:/=<>“”„‟«»][^\s\":!~=<>‹›≤≥≠＜＞＝“”„‟«»]*")
_SAME_SIGNS = {
    "=<": "<=",
    "=>": ">=",
    "≤": "<=",
    "≥": ">=",
    "‹": "<",
    "›": ">",
    "＜": "<",
    "＞": ">",
    "＝": "=",
    "==": "=",
}
_NOT_EQUAL = {"!=", "!==", "<>", "≠"}
#: Quotation marks that a text processor or a chat makes of straight ones.
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»", '"'))
#: A day as it is written in many countries; with dots there is only one way to read it.
_DAY_FIRST = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})")


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. `column` is the key of a column; empty: every column, and the fields that identify a record."""

    text: str
    excludes: bool = False
    match: Match = "part"
    column: str = ""

    def __str__(self) -> str:
        column = f"{'!' * self.excludes}{self.column}:" if self.column else "!" * self.excludes
        if self.match == "expression":
            return f"{column}/{self.text}/"
        sign, text = next((sign for sign, match in _SIGNS.items() if match == self.match), ""), self.text
        if self.match == "range" and (found := re.match("[<>]=?", text)):
            sign, text = found[0], text[found.end() :]
        plain = _PLAIN.fullmatch(text) and (self.match == "range" or ".." not in text)
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return f"{column}{sign}{text if plain else quoted}"


@dataclass(frozen=True, slots=True)
class InvalidTerm:
    """A part of a filter that is not understood: a name before a colon, or the end of a range."""

    name: str = ""
    column: str = ""
    end: str = ""


def terms_of(text: str, key_of: Callable[[str], str]) -> tuple[tuple[Term, ...], InvalidTerm | None]:
    """The terms of a text, and the first part that is not understood.

    `key_of` finds the key of the column with a name; empty for none.
    """
    terms: list[Term] = []
    unclear: InvalidTerm | None = None
    if '"' not in text:
        text = text.translate(_QUOTES)
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if address := _ADDRESS.match(text, at):
            terms.append(Term(address["address"], bool(address["no"])))
            at = address.end()
            continue
        if usual := _usual(text[at:], key_of):
            text, at = usual, 0
        found = _TERM.match(text, at)
        assert found is not None and found.end() > at
        at = found.end()
        key = key_of(found["column"]) if found["column"] else ""
        if found["column"] and not key:
            unclear = unclear or InvalidTerm(found["column"])
            word, at = _as_text(text, found)
            terms.append(Term(word, bool(found["no"])))
            continue
        excludes = bool(found["no"]) != bool(found["not"])
        value, match, wrong = _value(found, bool(key))
        if wrong:
            unclear = unclear or InvalidTerm(column=found["column"], end=wrong)
        if value:
            terms.append(Term(value, excludes, match, key))
    return tuple(terms), unclear


def _usual(text: str, key_of: Callable[[str], str]) -> str:
    """A text that begins with a comparison in another writing (`ends < 2027`, `ends‹2027`, `state = new`), as usual.

    Empty where it is written as usual, or where it is text that only looks like a comparison.
    """
    found = _FREE.match(text)
    if found is None:
        return ""
    colon, sign, value = found["colon"] or "", (found["sign"] or "").strip(), found["value"]
    if not (colon or sign) or not key_of(found["column"]):
        return ""
    if text[found.start("value") - 1].isspace() and key_of(value.lstrip("!").partition(":")[0]) and ":" in value:
        # A column without a value, and the next term.
        return ""
    no = "!" * (bool(found["no"]) != (sign in _NOT_EQUAL or (sign.startswith("!") and len(sign) > 1) or sign == "!"))
    plain = "" if sign == "!" else "=" if sign in _NOT_EQUAL else _SAME_SIGNS.get(sign.lstrip("!"), sign.lstrip("!"))
    ends = text[found.end("value") :]
    compares = plain in ("<", ">", "<=", ">=")
    if compares or ".." in value:
        value = _DAY_FIRST.sub(_iso, value)
    if compares and value and not colon:
        try:
            range_of(plain + value.strip('"'))
        except ValueError:
            return ""
    usual = f"{no}{found['column']}:{plain}{value}{ends}"
    return "" if usual == text else usual


def _iso(day: re.Match[str]) -> str:
    return f"{day['year']}-{int(day['month']):02}-{int(day['day']):02}"


def _as_text(text: str, found: re.Match[str]) -> tuple[str, int]:
    """A term whose name is no column as text, and where the next term begins."""
    start, at = found.start("column"), found.end("column") + 1
    if text[at : at + 1] == '"' and found["quoted"] is not None:
        return text[start:at] + _ESCAPE.sub(r"\1", found["quoted"]), found.end()
    while at < len(text) and not text[at].isspace():
        at += 1
    return text[start:at], at


def _value(found: re.Match[str], in_column: bool) -> tuple[str, Match, str]:
    """The text of a term, how it is compared, and the wrong end of a range."""
    expression = found["closed"] or found["open"]
    if expression is not None:
        return _closed(expression), "expression", ""
    sign, quoted, word = found["sign"] or "", found["quoted"], found["word"]
    value = _ESCAPE.sub(r"\1", quoted) if quoted is not None else word
    if sign and sign != "~" and not in_column:
        # Signs of comparison need a column.
        return sign + value, "part", ""
    if sign in _SIGNS and (sign or quoted is not None or not in_column):
        return value, _SIGNS[sign], ""
    if not value:
        return "", "range", ""
    try:
        if range_of(sign + value) is not None:
            return sign + value, "range", ""
    except ValueError as error:
        return sign + value, "range", str(error)
    return value, "part", ""


def _closed(expression: str) -> str:
    """An expression as it stands between slashes."""
    odd = (len(expression) - len(expression.rstrip("\\"))) % 2
    return _SLASH.sub(lambda found: found[1] or r"\/", expression + "\\" * odd)
