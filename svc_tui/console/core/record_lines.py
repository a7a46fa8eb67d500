"""The fields of a record as lines of a sheet: declared fields in their groups, others at the end; and the names of the
records that they refer to, in place of their IDs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from textwrap import wrap
from typing import TYPE_CHECKING, Any, get_args

from svc_tui.cache.secrets import is_well_known
from svc_tui.console.core.nested_labels import value_parts, value_text
from svc_tui.console.core.summaries import summary_of
from svc_tui.console.terminal.text import LONGEST_LINE, fit, safe_lines, safe_text
from svc_tui.console.terminal.text import width as cells
from svc_tui.console.widgets.formatting import HIDDEN, shortened
from svc_tui.console.widgets.list.columns import GARBLED
from svc_tui.console.widgets.sheet_lines import Line, wrapped
from svc_tui.interface import money
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text

if TYPE_CHECKING:
    from svc_tui.console.core.resource import Resource
    from svc_tui.interface.field_specs import FieldSpec
    from svc_tui.workspace.lists.referenced_records import Reference, ReferencedRecords

#: The key of the line with the number of fields without a value.
EMPTY = "-"
#: A heading, and the sentences about a record below it.
Says = tuple[str, Callable[[RecordData], Sequence[str]]]

#: Group of the fields that are not declared.
UNDECLARED = _("Other fields")
#: The most fields of an entry that are shown in one line.
_FEW = 6
#: The widest column for the names of the parts of a value.
_WIDEST = 24
#: The fewest columns in which its parts have lines of their own.
_LEAST = 12
#: The most fields of objects that get a line each.
_MOST_PARTS = 24
#: Fields that are shown first in their group.
_FIRST = ("name", "displayName", "state", "type")
#: The last group: what programs ask for.
IDENTIFIERS = _("IDs and addresses")


def record_lines(
    record: RecordData,
    specs: Sequence[FieldSpec],
    width: int,
    *,
    reveal: bool = False,
    empty: bool = True,
    with_keys: Callable[[str], str] | None = None,
    names: Callable[[str, str], str] | None = None,
    may_open: Callable[[str], bool] | None = None,
    whole: bool = True,
) -> Iterator[Line]:
    """The lines of a record, values wrapped to `width` columns.

    Secrets are hidden unless `reveal`; without `empty` empty fields are left out, and the last line has their number
    with the key that shows them. `with_keys` fills the keys into notes about actions, which are left out without it.
    `names` gives the name of a record from its kind and ID, empty while it is not known, and `may_open` whether the
    role may read records of a kind. Of a record that is not `whole`, no field is called empty. Before the declaration
    is loaded (`specs` empty) the wire names are the labels.
    """
    group, left_out = "", 0
    named = {spec.wire: wire for spec in specs if (wire := spec.named_in(record))}
    for name, wire, spec in _fields(record, specs):
        if wire in named.values():
            continue
        value = record.get(wire)
        absent = wire not in record and _is_sometimes(spec)
        if value in (None, "", []) and (not empty or absent):
            left_out += not absent
            continue
        if name != group:
            group = name
            yield Line("heading", label=group)
        note = _note(spec, value, with_keys, may_open)
        # Without a declaration, the name shows whether it is a secret.
        secret = spec.facet.secret if spec else is_well_known(wire)
        if secret and value and not reveal:
            yield Line(
                "field", _label(wire, spec), HIDDEN, with_keys(_("{reveal} shows it")) if with_keys else "", key=wire
            )
            continue
        refers = reference(spec, value)
        known = str(record[named[wire]]) if wire in named else names(*refers) if refers and names else ""
        if known:
            line = Line("field", _label(wire, spec), safe_text(known).text, note, key=wire)
            yield from _reference_lines(line, safe_text(str(value)).text, width)
            continue
        is_id = bool(refers) or (spec is not None and spec.identifies)
        for line in _field_lines(wire, spec, value, note, width, with_keys):
            if is_id and not line.style:
                line = replace(line, style="dim")
            yield replace(line, secret=True) if secret else line
    if left_out and with_keys and whole:
        text = with_keys(_("{{empty_fields}} shows {fields} without a value").format(fields=counted(left_out, "field")))
        yield Line("heading")
        yield Line("text", value=text, key=EMPTY, style="dim")


def sentence_lines(says: Says | None, record: RecordData, width: int) -> Iterator[Line]:
    """A heading and the sentences about a record, one per line; none when there are no sentences."""
    try:
        sentences = says[1](record) if says else ()
    except GARBLED:
        # The record does not fit its declaration; its fields are shown below.
        sentences = ()
    if says and sentences:
        yield Line("heading", label=says[0])
        for sentence in sentences:
            yield from wrapped(Line("text", value=safe_text(sentence).text), width)


#: The group of fields that identify a record.
RECORD = _("Record")


def _fields(record: RecordData, specs: Sequence[FieldSpec]) -> Iterator[tuple[str, str, FieldSpec | None]]:
    """(group, wire name, declaration) of every field to show, groups in the order of their first field.

    If a record declares the group of its identifying fields, its order is kept; else what only identifies it, such as
    its ID and its addresses for programs, comes last.
    """
    groups: dict[str, list[FieldSpec]] = {}
    declares = any(spec.facet.group == RECORD for spec in specs)
    first = specs if declares else sorted(specs, key=lambda spec: spec.wire not in _FIRST)
    last = [] if declares else [spec for spec in first if spec.identifies]
    for spec in first:
        if spec not in last:
            groups.setdefault(spec.facet.group, []).append(spec)
    for group, members in groups.items():
        for spec in members:
            yield group, spec.wire, spec
    declared = {spec.wire for spec in specs}
    for wire in record:
        if wire not in declared:
            yield (UNDECLARED if declared else RECORD), wire, None
    for spec in last:
        yield IDENTIFIERS, spec.wire, spec


def _is_sometimes(spec: FieldSpec | None) -> bool:
    """Whether the service leaves the field out where it does not apply."""
    return spec is not None and spec.wire in (getattr(spec.model, "WHERE_APPLICABLE", None) or ())


def _label(wire: str, spec: FieldSpec | None) -> str:
    return spec.label if spec else safe_text(wire).text


def _field_lines(
    wire: str, spec: FieldSpec | None, value: Any, note: str, width: int, with_keys: Callable[[str], str] | None
) -> Iterator[Line]:
    label = _label(wire, spec)
    if isinstance(value, str) and len(value) > LONGEST_LINE:
        note = _("first {longest_line} of {value} characters").format(
            longest_line=number_text(LONGEST_LINE), value=number_text(len(value))
        )
    if parts := summary_of(wire, value):
        longest = min(_WIDEST, max(len(name) for name in parts))
        for place, (name, text) in enumerate(parts.items()):
            line = Line("field", "" if place else label, key=wire, read=f"{name}: {text}" if name else text)
            for each in _beside(f"{name:{longest}}", name, text, width) if name else (text,):
                yield from wrapped(replace(line, value=each), width)
                line = replace(line, label="", read="")
        return
    if isinstance(value, str) and "\n" in value:
        for number, part in enumerate(safe_lines(shortened(value))):
            first = (
                Line("field", label, part.text, note, key=wire)
                if number == 0
                else Line("field", "", part.text, key=wire)
            )
            yield from wrapped(first, width)
        return
    if _many_fields(value):
        count = counted(len(value), "entry", "entries")
        shows = with_keys(_("{raw} shows all")) if with_keys else ""
        fits = cells(count) + cells(shows) + 2 <= width
        yield Line("field", label, count, note or (shows if fits else ""), key=wire)
        return
    style = "" if value not in (None, "", []) else "dim"
    hostile = isinstance(value, str) and safe_text(value).hostile
    if hostile:
        note, style = _("⚠ unsafe characters"), "warn"
    text = _amount(spec, value) or value_text(value, spec)
    if cells(text) > width and (entries := value_parts(value, spec)) and sum(map(len, entries)) <= _MOST_PARTS:
        yield from _part_lines(Line("field", label, note=note, key=wire), entries, width)
        return
    beside = width - cells(note) - 2
    if spec and spec.facet.refers and not hostile and beside < cells(text):
        # The value is whole before the key that opens it is shown.
        note = ""
    line = Line("field", label, text, note, key=wire, style=style, note_style="warn" if hostile else "dim")
    yield from wrapped(line, beside if note and beside >= width // 2 else width)


def reference(spec: FieldSpec | None, value: Any) -> tuple[str, str] | None:
    """Kind and ID of the record that a field refers to."""
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    return (spec.facet.refers, value) if spec and spec.facet.refers and value and isinstance(value, str) else None


class ReferenceNames:
    """Names as lists show them; those that are not cached are read from the service."""

    def __init__(self, records: ReferencedRecords, resources: Mapping[str, Resource]) -> None:
        self._records, self._resources = records, resources

    def name(self, kind: str, record_id: str) -> str:
        """The name of a record; empty while it is not known, or where it has none but its ID."""
        record = self._records.get((kind, record_id))
        label = self._resources[kind].label(record) if record else ""
        return "" if label == record_id else label

    def may_open(self, kind: str) -> bool:
        """Whether the role may read records of a kind."""
        return kind not in self._resources or self._records.may_open(kind)

    def in_record(self, record: Mapping[str, Any], specs: Sequence[FieldSpec]) -> Sequence[Reference]:
        """The records to which the fields of a record refer."""
        found = [reference(spec, record.get(spec.wire)) for spec in specs]
        return list(dict.fromkeys(each for each in found if each and each[0] in self._resources))

    async def load(self, references: Sequence[Reference], *, cached_only: bool = False) -> bool:
        """Find the names; whether one has changed."""
        return await self._records.load(references, cached_only=cached_only)


def _reference_lines(line: Line, record_id: str, width: int) -> Iterator[Line]:
    """A record by its name, with its ID and the key that opens it where there is room."""
    beside = width - cells(line.value) - 2
    notes = (f"{record_id}  {line.note}".rstrip(), record_id, line.note, "")
    yield from wrapped(replace(line, note=next(note for note in notes if not note or cells(note) <= beside)), width)


def _part_lines(line: Line, entries: Sequence[Sequence[tuple[str, str]]], width: int) -> Iterator[Line]:
    """A line for each field of objects that do not fit in one line; several objects begin with a mark each."""
    longest = min(_WIDEST, max(cells(name) for entry in entries for name, _ in entry))
    several = len(entries) > 1
    for entry in entries:
        for number, (name, text) in enumerate(entry):
            mark = "" if not several else "  " if number else "• "
            read = f"{mark.strip()} {name}: {text}".strip()
            for part in _beside(mark + fit(name, longest), mark + name, text, width):
                yield from wrapped(replace(line, value=part, read=read), width)
                line, read = replace(line, label="", note=""), ""


def _beside(aligned: str, name: str, text: str, width: int) -> Iterator[str]:
    """A text beside its name, continued below itself; or below the name where a word of it needs more room."""
    indent = cells(aligned) + 2
    if cells(text) <= width - indent or width < _LEAST:
        yield f"{aligned}  {text}"
    elif (longest := max(map(cells, text.split()), default=0)) <= width - indent:
        first, *rest = wrap(text, width - indent)
        yield f"{aligned}  {first}"
        yield from (" " * indent + each for each in rest)
    else:
        yield name
        below = "  " if longest <= width - 2 else ""
        yield from (below + each for each in wrap(text, width - len(below), break_long_words=False))


def _amount(spec: FieldSpec | None, value: Any) -> str:
    """An amount of money with its cents; empty for another value."""
    if spec is None or isinstance(value, bool) or not isinstance(value, int | float):
        return ""

    return money.written(value) if _is_money(spec.annotation) else ""


def _is_money(annotation: Any) -> bool:
    return annotation is Decimal or any(map(_is_money, get_args(annotation)))


def _many_fields(value: Any) -> bool:
    """Whether the value is a list of records with too many fields to show here."""
    return isinstance(value, list) and any(isinstance(item, Mapping) and len(item) > _FEW for item in value)


def _note(
    spec: FieldSpec | None,
    value: Any,
    with_keys: Callable[[str], str] | None,
    may_open: Callable[[str], bool] | None,
) -> str:
    if spec is None or value in (None, "", []):
        return ""
    if spec.facet.refers:
        opens = may_open is None or may_open(spec.facet.refers)
        return with_keys(_("{open} opens it")) if with_keys and opens else ""
    if spec.facet.deprecated:
        return _("deprecated: {deprecated}").format(deprecated=spec.facet.deprecated)
    return "" if isinstance(value, bool) or str(value) in spec.words else _(spec.facet.unit)
