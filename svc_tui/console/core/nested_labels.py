"""Labels of the fields inside a value, so that objects are shown without names of the API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import Labels, own_names, written
from svc_tui.interface import labels
from svc_tui.interface.field_specs import FieldSpec, field_by_wire

if TYPE_CHECKING:
    from svc_tui.interface.field_specs import FieldSpec

#: A name as the API writes them; anything else is data.
_NAME = re.compile(r"[a-z][A-Za-z0-9_]*")


def value_text(value: object, spec: FieldSpec | None) -> str:
    """A value of a field in one line, safe to draw, with choices and codes in words.

    Without a declaration names are unchanged.
    """
    return written(_in_words(value, spec), labels_in(spec) if spec else own_names)


def value_parts(value: object, spec: FieldSpec | None) -> list[list[tuple[str, str]]]:
    """The fields of an object, or of each object in a list, as label and text, safe to draw; empty for others."""
    labels = labels_in(spec) if spec else own_names
    value = _in_words(value, spec)
    given = value if isinstance(value, list) else [value]
    objects = [each for each in given if isinstance(each, Mapping) and each]
    if len(objects) < len(given):
        return []
    parts = []
    for each in objects:
        labelled = [(*labels(str(name)), item) for name, item in each.items()]
        parts.append([(safe_text(label).text, written(item, below)) for label, below, item in labelled])
    return parts


def _in_words(value: object, spec: FieldSpec | None) -> object:
    """A value whose choices and codes, also in the records within it, are words."""
    if isinstance(value, list):
        return [_in_words(item, spec) for item in value]
    if spec is None or value in (None, "") or spec.facet.pairs:
        return value
    if isinstance(value, bool):
        return spec.worded(word) if (word := str(value).lower()) in spec.words else value
    if isinstance(value, str) and (spec.kind == "date" or spec.facet.day):
        return value[: len("2026-11-20")] if value[10:11] == "T" else value
    if isinstance(value, str) and (name := dict(spec.facet.codes).get(value)):
        return f"{name} ({value})"
    if words := spec.words:
        return spec.worded(value) if spec.choices or str(value) in words else value
    model = spec.record if isinstance(value, Mapping) else None
    if model is None or not isinstance(value, Mapping):
        return value
    inner = field_by_wire(model)
    return {name: _in_words(item, inner.get(str(name))) for name, item in value.items()}


def labels_in(spec: FieldSpec) -> Labels:
    """The labels of the fields inside a field: those of its declared record, otherwise the words of their names.

    The names of pairs are data.
    """
    if spec.facet.pairs:
        return own_names
    model = spec.record
    inner = field_by_wire(model) if model else {}

    def labelled(name: str) -> tuple[str, Labels]:
        return (inner[name].label, labels_in(inner[name])) if name in inner else by_words(name)

    return labelled


def by_words(name: str) -> tuple[str, Labels]:
    """The labels of fields that are not declared."""
    return labels.label_of(name) if _NAME.fullmatch(name) else name, by_words
