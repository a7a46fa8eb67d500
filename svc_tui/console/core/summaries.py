"""Summaries of objects inside records, shown instead of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from svc_tui.console.terminal.text import safe_text

#: Name -> text of the parts of a value; a value with one part has no name for it.
Parts = dict[str, str]
Summary = Callable[[Any], Parts]
#: Field -> function that summarises its value. Areas add theirs (`shell.resources`).
SUMMARIES: dict[str, Summary] = {}


def summary_of(wire: str, value: object) -> Parts | None:
    """The summary of a value, safe to draw; None for a field without one, or an empty value."""
    summarise = SUMMARIES.get(wire)
    if summarise is None or not value or not isinstance(value, (Mapping, list)):
        return None
    try:
        parts = summarise(value)
    except (AttributeError, TypeError, ValueError, LookupError):
        # An unexpected value is shown unchanged.
        return None
    return {safe_text(name).text: safe_text(text).text for name, text in parts.items()} or None


def summary_line(wire: str, value: object) -> str:
    """The summary of a value in one line; empty for a field without one."""
    parts = summary_of(wire, value) or {}
    return ", ".join(f"{name} {text}".strip() for name, text in parts.items())


def with_names(text: str, named: Mapping[str, str]) -> str:
    """A text in which known IDs are replaced by the names of their records."""
    for record_id, name in named.items():
        text = text.replace(record_id, safe_text(name).text)
    return text
