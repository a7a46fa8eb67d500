"""Entries of the service as a file that can be imported again, written page by page: no list is too long for it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from svc_tui.interface.directory.csv.columns import COLUMNS, Column
from svc_tui.interface.directory.csv.writing import cells_of, line, used_columns
from svc_tui.interface.directory.import_operations import COMMENT
from svc_tui.workspace.directory.inspection import PART
from svc_tui.workspace.files.export import HasRows
from svc_tui.workspace.files.shared_files import replacing

Entry = Mapping[str, Any]


async def save_entries(
    lists: tuple[HasRows, ...],
    target: Path,
    *,
    part: str = "",
    over: bool = True,
    told: Callable[[int], None] = lambda count: None,
) -> int:
    """Write the entries of these lists; how many. `told` hears the number of those read so far.

    Where they are not one whole directory a comment says so, with `part` in words or from whose directories they are:
    whoever imports the file is warned. The file is there whole or not at all. NotRead when not all can be had, OSError
    when it cannot be written.
    """
    used: set[Column] = set()
    owners: set[object] = set()
    count = 0
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass") as kept:
        # Which columns there are is known when all entries were seen.
        for each in lists:
            async for entry in each.rows():
                used.update(used_columns((entry,)))
                owners.add(entry.get("companyId"))
                kept.write(json.dumps(entry) + "\n")
                count += 1
                told(count)
        kept.seek(0)
        columns = tuple(column for column in COLUMNS.values() if column in used)
        with replacing(target, over=over) as file:
            said = part or (f"entries of {len(owners):,} directories" if len(owners) > 1 else "")
            for text in _lines(columns, (json.loads(text) for text in kept), " ".join(said.split())):
                file.write(text.encode("utf-8", "surrogatepass"))
    return count


def _lines(columns: tuple[Column, ...], entries: Iterator[Entry], part: str) -> Iterator[str]:
    if part:
        yield f"{COMMENT} {PART}: {part}\n"
    yield line([column.name for column in columns], ";") + "\n"
    for entry in entries:
        yield line(cells_of(entry, columns), ";") + "\n"
