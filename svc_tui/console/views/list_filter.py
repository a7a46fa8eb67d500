"""The filter of a list view: the completion of the names of its columns."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.console.widgets.list.columns import Column
from svc_tui.workspace.lists.matching import without_separators


def completions(columns: Sequence[Column], text: str) -> Sequence[str]:
    """The names of columns that complete the last word of a typed filter: their headings, then their fields."""
    word = text.rpartition(" ")[2].removeprefix("!")
    before = text[: len(text) - len(word)]
    names = [without_separators(column.title) for column in columns] + [column.field for column in columns]
    return [f"{before}{name}:" for name in dict.fromkeys(names) if word and name.startswith(word)]
