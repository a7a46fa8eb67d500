"""The filter language: query parameters for the service, and a predicate for the other terms. Pure functions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.kind import Kind, ServerFilter, fields_of, query_fields_of
from svc_tui.workspace.lists.expressions import Expression, ExpressionError
from svc_tui.workspace.lists.matching import NOTHING, FilterColumn, SearchTargets, folded, predicate, without_separators
from svc_tui.workspace.lists.ranges import days_of
from svc_tui.workspace.lists.terms import InvalidTerm, Term, terms_of

#: A whole identifier of the service.
_ID = re.compile(r"[0-9a-f]{24}")


@dataclass(frozen=True, slots=True)
class FieldQuery:
    """A query that finds rows of a long list by one field, or the ID of one record.

    `predicate` decides the terms that the question does not answer, None when there are none.
    """

    field: str
    label: str
    query: Mapping[str, str] = dataclasses.field(default_factory=dict)
    record_id: str = ""
    predicate: Callable[[RecordData], bool] | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """A parsed filter. `query` is for the service; `predicate` decides the other terms, None when there are none.

    All `terms` must match. `questions` find rows of a list that is too long to be read for text without a column, and
    `searched` has the labels of the fields that such text is compared with. `text_query` is the nearest query for it.
    `note` is a warning about a part that is not understood, or empty; `hint` is for a list in which nothing matches.
    """

    terms: tuple[Term, ...] = ()
    query: Mapping[str, str] = dataclasses.field(default_factory=dict)
    predicate: Callable[[RecordData], bool] | None = None
    note: str = ""
    questions: tuple[FieldQuery, ...] = ()
    searched: tuple[str, ...] = ()
    text_query: Mapping[str, str] = dataclasses.field(default_factory=dict)
    #: Parameters that leave out most rows outside periods, and the parameters with which these mean something else.
    period_query: Mapping[str, str] = dataclasses.field(default_factory=dict)
    period_unless: frozenset[str] = frozenset()
    hint: str = ""

    def query_with(self, other: Mapping[str, object]) -> dict[str, object]:
        """All parameters for the service, beside those of a filter form: a period that was chosen there is kept."""
        periods = {} if self.period_unless & other.keys() else self.period_query
        return {**periods, **other, **self.query}

    def __str__(self) -> str:
        return " ".join(str(term) for term in self.terms)

    def wider(self) -> list[str]:
        """Other writings of the filter that find more, the nearest first: for a list in which nothing matches.

        A whole value becomes a part, a term of a column text in any column, several words in quotes single ones, and
        of several terms each is left out once.
        """
        found: list[str] = []
        for at, term in enumerate(self.terms):
            before, after = self.terms[:at], self.terms[at + 1 :]

            def instead(*terms: Term, before: tuple[Term, ...] = before, after: tuple[Term, ...] = after) -> str:
                return " ".join(map(str, (*before, *terms, *after)))

            if term.excludes or term.match in ("expression", "range"):
                continue
            if term.match == "whole":
                found.append(instead(replace(term, match="part")))
            if term.column:
                found.append(instead(replace(term, match="part", column="")))
            if " " in term.text.strip():
                found.append(instead(*(replace(term, text=word, match="part") for word in term.text.split())))
            letters = replace(term, match="letters")
            if term.match == "part" and len(term.text) > 2:
                found.append(instead(letters))
        if len(self.terms) > 1:
            found += [" ".join(str(each) for each in self.terms if each is not term) for term in self.terms]
        return list(dict.fromkeys(text for text in found if text and text != str(self)))


def parse(text: str, kind: Kind, columns: Sequence[FilterColumn]) -> Filter:
    """Parse a filter for a list of a kind with these columns. Every text is a filter.

    All words and quoted texts must match: `crm`, `!crm` (not), `~crm` (letters in this order), `/^crm/` (expression),
    `state:active` (in one column), `state:=active` (the whole value), `created:>2026-01` or `2026-01..2026-03` (dates
    and numbers), and combinations such as `name:!~crm`. A column is named by its heading, wire name or label.
    """
    names = _Names(kind, columns)
    terms, unclear = terms_of(text, names.key_of)
    query: dict[str, str] = {}
    left: list[Term] = []
    for term in terms:
        found = _query_parameter(term, term.column, names)
        if found is None or found[0] in query:
            left.append(term)
        else:
            query[found[0]] = found[1]
    searched = SearchTargets(names.columns, kind)
    free = [term for term in left if not term.column]
    questions = tuple(_questions(left, free, searched, names, query))
    return Filter(
        terms,
        query,
        predicate(left, searched) if left else None,
        _note(terms, unclear, names),
        questions,
        tuple(names.label(field) for field in (*searched.identifying(), kind.id)) if free else (),
        next((question.query for question in questions if kind.text_column == question.field), {}),
        *_periods(left, names),
        _date_hint(left, names),
    )


class _Names:
    """The columns of a list by their keys, and the names by which they can be typed."""

    def __init__(self, kind: Kind, columns: Sequence[FilterColumn]) -> None:
        self.kind = kind
        self.columns: dict[str, FilterColumn] = {}
        for column in columns:
            # Two columns can show the same field.
            self.columns.setdefault(
                without_separators(column.title) if column.name in self.columns else column.name, column
            )

    def field_of(self, key: str) -> str:
        column = self.columns.get(key)
        return column.name if column else key

    def key_of(self, name: str) -> str:
        """The key of the column with a name, without regard to case, or of the only one that begins with it."""
        hidden = (*self.kind.server_filters, *self.kind.identifiers, self.kind.id)
        keys = {key.lower(): key for key in (*self.columns, *filter(None, hidden))}
        titles = {without_separators(column.title): key for key, column in self.columns.items() if column.title}
        small, plain = name.lower(), without_separators(name)
        found = keys.get(small) or titles.get(plain) or _begun(keys, small) or _begun(titles, plain)
        if found or not plain:
            return found or ""
        labels = {without_separators(self.label(self.field_of(key))): key for key in keys.values()}
        return labels.get(plain) or _begun(labels, plain)

    def label(self, field: str) -> str:
        """The label of a field, or the heading of its column where it is not declared."""
        # The declaration is loaded only when a label is needed.
        spec = fields_of(self.kind).get(field)
        if spec is not None:
            return spec.label
        return next((column.title for column in self.columns.values() if column.name == field), "") or field

    def query_label(self, parameter: str) -> str:
        """The label of a query parameter of the list."""
        # The declaration is loaded only when a label is needed.
        return query_fields_of(self.kind)[parameter].label


def _begun(names: Mapping[str, str], beginning: str) -> str:
    """The only value whose name begins so; empty for none and for several."""
    begun = {value for name, value in names.items() if name.startswith(beginning)}
    return begun.pop() if len(begun) == 1 else ""


def _questions(
    terms: Sequence[Term], free: Sequence[Term], searched: SearchTargets, names: _Names, query: Mapping[str, str]
) -> Iterable[FieldQuery]:
    """The questions for the longest text without a column, one for each field by which the service filters it."""
    kind = searched.kind
    asked = max(
        (term for term in free if term.match == "part" and not term.excludes),
        key=lambda term: len(term.text),
        default=None,
    )
    if asked is None:
        return
    others = [term for term in terms if term is not asked]
    left = predicate(others, searched) if others else None
    fields = dict.fromkeys([column.name for column in searched.columns.values()] + list(kind.identifiers))
    asked_fields = False
    for wire in fields:
        found = _query_parameter(asked, wire, names)
        if found is None and wire in kind.identifiers and wire in kind.server_filters:
            found = kind.server_filters[wire].parameter, asked.text
        if found is not None and found[0] not in query:
            asked_fields = True
            yield FieldQuery(wire, names.label(wire), dict([found]), predicate=left)
            for also in kind.server_filters[wire].also:
                yield FieldQuery(wire, names.query_label(also), {also: asked.text}, predicate=left)
    if asked_fields and kind.parameter and kind.get != kind.list and _ID.fullmatch(asked.text):
        yield FieldQuery(kind.id, names.label(kind.id), record_id=asked.text, predicate=left)


def _note(terms: Sequence[Term], unclear: InvalidTerm | None, names: _Names) -> str:
    """The warning about the first part of a filter that is not understood."""
    if unclear is not None:
        if unclear.name:
            return _("Unknown column {name}: searched as text.").format(name=unclear.name)
        return _("{column}: “{end}” is not a date or a number.").format(column=unclear.column, end=unclear.end)
    for term in terms:
        if term.match == "expression":
            try:
                Expression(term.text)
            except ExpressionError as error:
                return _("Invalid expression: {error}.").format(error=error)
        choices = _choices(names.kind, names.field_of(term.column)) if term.column else ()
        if choices and term.match in ("part", "whole") and not _chosen(term, term.column, names):
            column = names.columns.get(term.column)
            words = [column.words.get(value, value) if column else value for value in choices]
            return _("No {label} “{term}”: {words}.").format(
                label=names.label(names.field_of(term.column)).lower(), term=term.text, words=", ".join(words)
            )
    return ""


def _date_hint(terms: Sequence[Term], names: _Names) -> str:
    """How dates are written, for a word in a column of dates; such a column can also show words, for example never."""
    words = [
        each for each in terms if each.column and each.match in ("part", "whole") and not re.search(r"\d", each.text)
    ]
    if not words:
        return ""
    # The declaration is loaded only when a word is looked for in a column.
    declared = fields_of(names.kind)
    for term in words:
        spec = declared.get(names.field_of(term.column))
        if spec is not None and spec.kind in ("date", "datetime"):
            return _("“{word}” is not a date: type 2026-01, >2026-01 or 2026-01..2026-03.").format(word=term.text)
    return ""


def _query_parameter(term: Term, key: str, names: _Names) -> tuple[str, str] | None:
    """The query parameter with the effect of a term on a column, and its value; None when there is none."""
    server_filter = names.kind.server_filters.get(names.field_of(key))
    if server_filter is None or term.excludes or term.match not in ("part", "whole") or "," in term.text:
        return None
    if NOTHING in term.text:
        # This is shown for an empty value, which the service does not find by it.
        return None
    if server_filter.match in ("part", "start"):
        return (server_filter.parameter, term.text) if term.match == "part" else None
    chosen = _chosen(term, key, names)
    if server_filter.match == "choices":
        return (server_filter.parameter, ",".join(chosen)) if chosen else None
    return _whole(server_filter, term.text, chosen)


def _periods(terms: Sequence[Term], names: _Names) -> tuple[dict[str, str], frozenset[str]]:
    """The parameters for periods, and those with which they mean something else. The terms are compared here too."""
    query: dict[str, str] = {}
    unless: set[str] = set()
    for term in terms:
        found = names.kind.period_filters.get(names.field_of(term.column)) if term.column else None
        if found is None or term.excludes or term.match not in ("part", "whole", "range"):
            continue
        for parameter, day, end in zip((found.first, found.last), days_of(term.text), ("00:00", "23:59"), strict=True):
            if day is not None and parameter not in query:
                query[parameter] = day.isoformat() if found.days else f"{day.isoformat()}T{end}:00Z"
        unless |= {found.first, found.last, *found.unless}
        if query.get(found.first, "") > query.get(found.last, "9"):
            # The service refuses a period that ends before it begins; no row is in it anyway.
            del query[found.first], query[found.last]
    return query, frozenset(unless)


def _chosen(term: Term, key: str, names: _Names) -> list[str]:
    """The choices of a column that match a term, by their value or by the word that is shown for it."""
    text = folded(term.text)
    column = names.columns.get(key)
    shown = column.words if column else {}

    def matches(word: str) -> bool:
        return folded(word) == text if term.match == "whole" else text in folded(word)

    choices = _choices(names.kind, names.field_of(key))
    return [value for value in choices if matches(value) or matches(shown.get(value, ""))]


def _whole(server_filter: ServerFilter, text: str, chosen: list[str]) -> tuple[str, str] | None:
    if len(chosen) == 1:
        return server_filter.parameter, chosen[0]
    return (server_filter.parameter, text) if _ID.fullmatch(text) else None


def _choices(kind: Kind, column: str) -> tuple[str, ...]:
    # The declaration is loaded only when a column of choices is filtered.
    spec = fields_of(kind).get(column)
    return spec.choices if spec else ()
