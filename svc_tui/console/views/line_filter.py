"""A filter of the lines of a sheet: the fields whose label or value contains a text, with their headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from svc_tui.console.widgets.sheet_lines import Line


def matching(lines: Iterable[Line], text: str) -> Iterator[Line]:
    """The lines of each field that contains all words, below the heading of its group; a key is its name in the API."""
    words = text.casefold().split()
    heading: Line | None = None
    for (kind, key), group in groupby(lines, key=lambda line: (line.kind, line.key)):
        item = list(group)
        if kind == "heading":
            heading = item[-1]
            continue
        content = " ".join([key, *(part for line in item for part in (line.label, line.as_read))]).casefold()
        if all(word in content for word in words):
            if heading is not None:
                yield heading
                heading = None
            yield from item
