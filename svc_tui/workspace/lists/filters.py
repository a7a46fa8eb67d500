"""The filter language of `/`: what of it the service can do, and a predicate for the rest. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from svc_tui.workspace.kinds.kind import Kind, ServerFilter

Row = Mapping[str, Any]

#: One term: `!`, a column with its colon, `~`, then a word or a text in quotes.
_TERM = re.compile(r'(!?)(?:([\w.]+):)?(~?)(?:"((?:[^"\\]|\\.)*)"?|(\S*))', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
#: What the service takes for a whole identifier.
_ID = re.compile(r"[0-9a-f]{24}")


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. `column` is a wire name, empty: wherever plain text is looked for."""

    text: str
    excludes: bool = False
    fuzzy: bool = False
    column: str = ""

    def __str__(self) -> str:
        plain = re.fullmatch(r"[^\s\"!~:][^\s\":]*", self.text)
        quoted = '"' + self.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        column = f"{self.column}:" if self.column else ""
        return f"{'!' * self.excludes}{column}{'~' * self.fuzzy}{self.text if plain else quoted}"


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter taken apart. `query` goes to the service; `predicate` decides the rest here, None when nothing is left.

    `terms` must all hold. `note` is a sentence about what may not be meant, empty mostly.
    """

    terms: tuple[Term, ...] = ()
    query: Mapping[str, str] = field(default_factory=dict)
    predicate: Callable[[Row], bool] | None = None
    note: str = ""

    def __str__(self) -> str:
        return " ".join(str(term) for term in self.terms)


def parse(text: str, kind: Kind, columns: Sequence[str]) -> Filter:
    """Take a filter apart for a list of a kind with these columns (wire names). Every text is a filter.

    Words and texts in quotes must all be found: `crm`, `!crm` (not), `~crm` (letters in this order), `state:active`
    (in one column), and their combinations such as `!name:~crm`. A column goes by its wire name, or by its label
    without blanks.
    """
    named = tuple(dict.fromkeys([*columns, *kind.server_filters]))
    terms, unknown = terms_of(text, named, partial(_labelled, kind, named))
    query: dict[str, str] = {}
    left: list[Term] = []
    for term in terms:
        found = _served(term, kind)
        if found is None or found[0] in query:
            left.append(term)
        else:
            query[found[0]] = found[1]
    looked_in = (kind.text_column,) if kind.text_column else tuple(columns)
    note = f"There is no column {unknown}: it is looked for as text." if unknown else ""
    predicate = partial(matches, tuple(left), looked_in, kind=kind) if left else None
    return Filter(terms, query, predicate, note)


def terms_of(
    text: str, columns: Sequence[str], called: Callable[[str], str] = lambda _: ""
) -> tuple[tuple[Term, ...], str]:
    """The terms of a text, and the first name before a colon that is no column.

    `called` knows other names of the columns.
    """
    terms: list[Term] = []
    unknown, at = "", 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _TERM.match(text, at)
        assert found is not None and found.end() > at
        at = found.end()
        excludes, name, fuzzy, quoted, word = found.groups()
        said = _ESCAPE.sub(r"\1", quoted) if quoted is not None else word
        column = (_column(name, columns) or called(name)) if name else ""
        if name and not column:
            unknown, said = unknown or name, f"{name}:{fuzzy}{said}"
        if said:
            terms.append(Term(said, bool(excludes), bool(fuzzy) and not (name and not column), column))
    return tuple(terms), unknown


def matches(terms: Sequence[Term], looked_in: Sequence[str], row: Row, kind: Kind | None = None) -> bool:
    """Whether all terms hold for a row; a term without a column looks into those of `looked_in`.

    Telephone numbers and MAC addresses of the kind are found in any notation, those too that are no column.
    """
    return all(_holds(term, (term.column,) if term.column else looked_in, row, kind) for term in terms)


def folded(text: str) -> str:
    """A text as it is compared: capitals and ways to write an accent do not matter."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def said(value: Any) -> str:
    """A value as the text in which a filter looks."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case dict():
            return " ".join(said(inner) for inner in value.values())
        case list():
            return " ".join(said(inner) for inner in value)
    return str(value)


def _holds(term: Term, looked_in: Sequence[str], row: Row, kind: Kind | None) -> bool:
    wanted = folded(term.text)
    fits = _in_order if term.fuzzy else _within
    placeholders = kind.placeholders if kind else {}
    found = any(fits(wanted, folded(said(row.get(column)) or placeholders.get(column, ""))) for column in looked_in)
    matchers = kind.matchers if kind else {}
    return term.excludes != (
        found
        or any(match(term.text, row.get(wire), row) for wire, match in matchers.items() if term.column in ("", wire))
    )


def _within(wanted: str, text: str) -> bool:
    return wanted in text


def _in_order(wanted: str, text: str) -> bool:
    letters = iter(text)
    return all(letter in letters for letter in wanted if not letter.isspace())


def _column(name: str, columns: Sequence[str]) -> str:
    """The column that is meant: its name in any capitals, or the beginning of only one."""
    small = name.lower()
    exact = [column for column in columns if column.lower() == small]
    begun = exact or [column for column in columns if column.lower().startswith(small)]
    return begun[0] if len(begun) == 1 else ""


def _labelled(kind: Kind, columns: Sequence[str], name: str) -> str:
    """The column with this label, however its words are put together; so is the beginning of only one."""
    # The declaration is loaded only when a name is no column's.
    from svc_tui.workspace.kinds.fields import fields_of

    declared = fields_of(kind)
    labels = {_together(declared[column].label): column for column in columns if column in declared}
    label = _column(_together(name), list(labels))
    return labels.get(label, "")


def _together(label: str) -> str:
    return re.sub(r"[\W_]", "", label).lower()


def _served(term: Term, kind: Kind) -> tuple[str, str] | None:
    """The query parameter that does the same as a term, with its value; None when there is none."""
    column = term.column or kind.text_column
    serves = kind.server_filters.get(column)
    if serves is None or term.excludes or term.fuzzy or "," in term.text:
        return None
    if serves.match == "part":
        return serves.parameter, term.text
    chosen = [value for value in _choices(kind, column) if folded(term.text) in folded(value)]
    if serves.match == "choices":
        return (serves.parameter, ",".join(chosen)) if chosen else None
    return _whole(serves, term.text, chosen)


def _whole(serves: ServerFilter, text: str, chosen: list[str]) -> tuple[str, str] | None:
    if len(chosen) == 1:
        return serves.parameter, chosen[0]
    return (serves.parameter, text) if _ID.fullmatch(text) else None


def _choices(kind: Kind, column: str) -> tuple[str, ...]:
    # The declaration is loaded only when a column of choices is filtered.
    from svc_tui.workspace.kinds.fields import fields_of

    spec = fields_of(kind).get(column)
    return spec.choices if spec else ()
