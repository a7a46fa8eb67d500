"""The fields of a record as lines of a sheet: every declared field in its group, what is not declared at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, get_args

from svc_tui.console.core.summaries import told
from svc_tui.console.terminal.text import shown, shown_lines
from svc_tui.console.widgets.formatting import HIDDEN, written
from svc_tui.console.widgets.list.columns import GARBLED
from svc_tui.console.widgets.sheet import Line, wrapped
from svc_tui.interface.data import RecordData

if TYPE_CHECKING:
    from svc_tui.interface.records import FieldSpec

#: A heading, and the sentences that a record has to say below it.
Says = tuple[str, Callable[[RecordData], Sequence[str]]]

#: Group of the fields that the declaration does not know.
UNDECLARED = "Not described"
#: Fields of an entry that can still be told in a line.
_FEW = 6
#: Columns that names of parts of a value are lined up in; a longer one pushes its value on.
_WIDEST = 24
#: What is looked for first stands first in its group.
_FIRST = ("id", "name", "displayName", "state", "type")


def record_lines(
    record: RecordData,
    specs: Sequence[FieldSpec],
    width: int,
    *,
    reveal: bool = False,
    empty: bool = True,
    keys: bool = True,
) -> Iterator[Line]:
    """The lines of a record, values wrapped to `width` columns.

    Secrets are hidden unless `reveal`; without `empty` fields that hold nothing are left out, without `keys` it is not
    said which key does something with a value. Before the declaration is loaded (`specs` empty) the fields stand under
    their wire names.
    """
    group = ""
    for name, wire, spec in _fields(record, specs):
        value = record.get(wire)
        if not empty and value in (None, "", []):
            continue
        if name != group:
            group = name
            yield Line("heading", label=group)
        note = _note(spec, value) if keys or (spec and not spec.facet.refers) else ""
        hidden = bool(spec and spec.facet.secret and value and not reveal)
        if hidden:
            yield Line("field", _label(wire, spec), HIDDEN, "v shows it" if keys else "", key=wire)
        else:
            yield from _field_lines(wire, spec, value, note, width)


def says_lines(says: Says | None, record: RecordData, width: int) -> Iterator[Line]:
    """What a record means for people: a heading and a sentence a line, where there is something to say."""
    try:
        sentences = says[1](record) if says else ()
    except GARBLED:
        # What does not fit its declaration means nothing that could be said; the fields below show it.
        sentences = ()
    if says and sentences:
        yield Line("heading", label=says[0])
        for sentence in sentences:
            yield from wrapped(Line("text", value=shown(sentence).text), width)


#: The group of what a record is kept by, not of what it says.
RECORD = "Record"


def _fields(record: RecordData, specs: Sequence[FieldSpec]) -> Iterator[tuple[str, str, FieldSpec | None]]:
    """(group, wire name, declaration) of every field to show, groups in the order of their first field.

    Where what a record is kept by has a group of its own, all stands as it is declared.
    """
    groups: dict[str, list[FieldSpec]] = {}
    declares = any(spec.facet.group == RECORD for spec in specs)
    first = specs if declares else sorted(specs, key=lambda spec: (spec.wire != "id", spec.wire not in _FIRST))
    for spec in first:
        groups.setdefault(spec.facet.group, []).append(spec)
    for group, members in groups.items():
        for spec in members:
            yield group, spec.wire, spec
    declared = {spec.wire for spec in specs}
    for wire in record:
        if wire not in declared:
            yield (UNDECLARED if declared else RECORD), wire, None


def _label(wire: str, spec: FieldSpec | None) -> str:
    return spec.label if spec else shown(wire).text


def _field_lines(wire: str, spec: FieldSpec | None, value: Any, note: str, width: int) -> Iterator[Line]:
    label = _label(wire, spec)
    if parts := told(wire, value):
        longest = min(_WIDEST, max(len(name) for name in parts))
        for number, (name, text) in enumerate(parts.items()):
            said = f"{name:{longest}}  {text}" if name else text
            yield from wrapped(Line("field", "" if number else label, said, key=wire), width)
        return
    if isinstance(value, str) and "\n" in value:
        for number, part in enumerate(shown_lines(value)):
            yield from wrapped(Line("field", label if number == 0 else "", part.text, key=wire), width)
        return
    if _many_fields(value):
        entries = f"{len(value)} {'entry' if len(value) == 1 else 'entries'}"
        yield Line("field", label, entries, note or "d shows them whole", key=wire)
        return
    style = "" if value not in (None, "", []) else "dim"
    hostile = isinstance(value, str) and shown(value).hostile
    if hostile:
        note, style = "⚠ holds control or direction characters", "warn"
    said = _amount(spec, value) or written(value)
    line = Line("field", label, said, note, key=wire, style=style, note_style="warn" if hostile else "dim")
    yield from wrapped(line, width - (len(note) + 2 if note else 0))


def _amount(spec: FieldSpec | None, value: Any) -> str:
    """An amount of money with its cents; empty where the value is none."""
    if spec is None or isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    from svc_tui.interface.money import written as as_money

    return as_money(value) if _is_money(spec.annotation) else ""


def _is_money(annotation: Any) -> bool:
    return annotation is Decimal or any(map(_is_money, get_args(annotation)))


def _many_fields(value: Any) -> bool:
    """Whether it is a list of whole records, which would flood the lines of the one that they stand in."""
    return isinstance(value, list) and any(isinstance(item, Mapping) and len(item) > _FEW for item in value)


def _note(spec: FieldSpec | None, value: Any) -> str:
    if spec is None or value in (None, "", []):
        return ""
    words = dict(spec.facet.choices)
    if str(value) in words:
        return words[str(value)]
    if spec.facet.refers:
        return "enter opens it"
    if spec.facet.deprecated:
        return f"deprecated: {spec.facet.deprecated}"
    return spec.facet.unit
