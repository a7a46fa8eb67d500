"""Filters of lists whose columns show their fields as they are."""

from __future__ import annotations

from collections.abc import Iterable

from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.lists import filters
from svc_tui.workspace.lists.matching import FilterColumn


def parse(text: str, kind: Kind, columns: Iterable[str]) -> filters.Filter:
    """A filter of a list with these columns, by their wire names."""
    return filters.parse(text, kind, [FilterColumn(column) for column in columns])
