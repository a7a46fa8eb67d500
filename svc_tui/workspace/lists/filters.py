"""The filter language: query parameters for the service, and a predicate for the other terms. Pure functions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.workspace.kinds.kind import Kind, ServerFilter

#: One term: `!`, a column with its colon, `~`, then a word or a text in quotes.
_TERM = re.compile(r'(!?)(?:([\w.]+):)?(~?)(?:"((?:[^"\\]|\\.)*)"?|(\S*))', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
#: A whole identifier of the service.
_ID = re.compile(r"[0-9a-f]{24}")


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. `column` is a wire name; empty: the columns that are searched for text without a column."""

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
    """A parsed filter. `query` is for the service; `predicate` decides the other terms, None when there are none.

    All `terms` must match. `note` is a warning about a probable mistake, or empty.
    """

    terms: tuple[Term, ...] = ()
    query: Mapping[str, str] = field(default_factory=dict)
    predicate: Callable[[RecordData], bool] | None = None
    note: str = ""

    def __str__(self) -> str:
        return " ".join(str(term) for term in self.terms)


def parse(text: str, kind: Kind, columns: Sequence[str]) -> Filter:
    """Parse a filter for a list of a kind with these columns (wire names). Every text is a filter.

    All words and quoted texts must match: `crm`, `!crm` (not), `~crm` (letters in this order), `state:active` (in one
    column), and combinations such as `!name:~crm`. A column is named by its wire name, or by its label without spaces.
    """
    named = tuple(dict.fromkeys([*columns, *kind.server_filters]))
    terms, unknown = terms_of(text, named, partial(_labelled, kind, named))
    query: dict[str, str] = {}
    left: list[Term] = []
    for term in terms:
        found = _query_parameter(term, kind)
        if found is None or found[0] in query:
            left.append(term)
        else:
            query[found[0]] = found[1]
    searched = (kind.text_column,) if kind.text_column else tuple(columns)
    note = f"Unknown column {unknown}: searched as text." if unknown else ""
    predicate = partial(matches, tuple(left), searched, kind=kind) if left else None
    return Filter(terms, query, predicate, note)


def terms_of(
    text: str, columns: Sequence[str], column_labelled: Callable[[str], str] = lambda _: ""
) -> tuple[tuple[Term, ...], str]:
    """The terms of a text, and the first name before a colon that is not a column.

    `column_labelled` finds a column by another name.
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
        value = _ESCAPE.sub(r"\1", quoted) if quoted is not None else word
        column = (_column(name, columns) or column_labelled(name)) if name else ""
        if name and not column:
            unknown, value = unknown or name, f"{name}:{fuzzy}{value}"
        if value:
            terms.append(Term(value, bool(excludes), bool(fuzzy) and not (name and not column), column))
    return tuple(terms), unknown


def matches(terms: Sequence[Term], searched: Sequence[str], row: RecordData, kind: Kind | None = None) -> bool:
    """Whether all terms match a row; a term without a column searches the columns `searched`.

    The matchers of the kind are used too, also for fields that are not columns.
    """
    return all(_matches(term, (term.column,) if term.column else searched, row, kind) for term in terms)


def folded(text: str) -> str:
    """A text for comparison: without differences of case and of the encoding of accents."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def text_of(value: Any) -> str:
    """A value as the text that a filter searches."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case dict():
            return " ".join(text_of(inner) for inner in value.values())
        case list():
            return " ".join(text_of(inner) for inner in value)
    return str(value)


def _matches(term: Term, searched: Sequence[str], row: RecordData, kind: Kind | None) -> bool:
    text, fits = folded(term.text), _in_order if term.fuzzy else _within
    placeholders = kind.placeholders if kind else {}
    found = any(fits(text, folded(text_of(row.get(column)) or placeholders.get(column, ""))) for column in searched)
    matchers = kind.matchers if kind else {}
    return term.excludes != (
        found
        or any(match(term.text, row.get(wire), row) for wire, match in matchers.items() if term.column in ("", wire))
    )


def _within(searched: str, text: str) -> bool:
    return searched in text


def _in_order(searched: str, text: str) -> bool:
    letters = iter(text)
    return all(letter in letters for letter in searched if not letter.isspace())


def _column(name: str, columns: Sequence[str]) -> str:
    """The column with this name, without regard to case, or the only one that begins with it; empty for none."""
    small = name.lower()
    exact = [column for column in columns if column.lower() == small]
    begun = exact or [column for column in columns if column.lower().startswith(small)]
    return begun[0] if len(begun) == 1 else ""


def _labelled(kind: Kind, columns: Sequence[str], name: str) -> str:
    """The column with this label without spaces, or the only one that begins with it; empty for none."""
    # The declaration is loaded only when a name is not that of a column.
    from svc_tui.workspace.kinds.fields import fields_of

    declared = fields_of(kind)
    labels = {_without_separators(declared[column].label): column for column in columns if column in declared}
    label = _column(_without_separators(name), list(labels))
    return labels.get(label, "")


def _without_separators(label: str) -> str:
    return re.sub(r"[\W_]", "", label).lower()


def _query_parameter(term: Term, kind: Kind) -> tuple[str, str] | None:
    """The query parameter that has the effect of a term, with its value; None when there is none."""
    column = term.column or kind.text_column
    server_filter = kind.server_filters.get(column)
    if server_filter is None or term.excludes or term.fuzzy or "," in term.text:
        return None
    if server_filter.match == "part":
        return server_filter.parameter, term.text
    chosen = [value for value in _choices(kind, column) if folded(term.text) in folded(value)]
    if server_filter.match == "choices":
        return (server_filter.parameter, ",".join(chosen)) if chosen else None
    return _whole(server_filter, term.text, chosen)


def _whole(server_filter: ServerFilter, text: str, chosen: list[str]) -> tuple[str, str] | None:
    if len(chosen) == 1:
        return server_filter.parameter, chosen[0]
    return (server_filter.parameter, text) if _ID.fullmatch(text) else None


def _choices(kind: Kind, column: str) -> tuple[str, ...]:
    # The declaration is loaded only when a column of choices is filtered.
    from svc_tui.workspace.kinds.fields import fields_of

    spec = fields_of(kind).get(column)
    return spec.choices if spec else ()
