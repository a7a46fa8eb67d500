"""Objects inside records that are shown in words instead of field by field. Areas register how, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from svc_tui.console.core.lazy import LazyTable
from svc_tui.console.terminal.text import shown

#: The parts of a value in words, each under its name; a value that is one thing has one part without a name.
Parts = dict[str, str]
#: Field -> its parts.
SUMMARIES: LazyTable[Callable[[Any], Parts]] = LazyTable()


def told(wire: str, value: object) -> Parts | None:
    """A value in words, safe to draw; None for a field that is not told so, or holds nothing to tell."""
    tell = SUMMARIES.get(wire)
    if tell is None or not value or not isinstance(value, (Mapping, list)):
        return None
    try:
        parts = tell(value)
    except (AttributeError, TypeError, ValueError, LookupError):
        # One garbled value must not take the record with it: it is shown as it came.
        return None
    return {shown(name).text: shown(text).text for name, text in parts.items()} or None


def in_a_line(wire: str, value: object) -> str:
    """The same in one line; empty for a field that is not told so."""
    parts = told(wire, value) or {}
    return ", ".join(f"{name} {text}".strip() for name, text in parts.items())


def with_names(text: str, named: Mapping[str, str]) -> str:
    """A text with the names of records in place of their ids, where they are known."""
    for record_id, name in named.items():
        text = text.replace(record_id, shown(name).text)
    return text
