"""Directory entries saved as a file that can be imported again, written page by page for lists of any length."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.columns import CsvColumn, all_columns
from svc_tui.interface.directory.csv.writing import cells_of, line, used_columns
from svc_tui.interface.directory.values import COMMENT
from svc_tui.language import _, number_text
from svc_tui.workspace.directory.inspection import PART
from svc_tui.workspace.files.export import RowSource
from svc_tui.workspace.files.saved_files import saved_file


async def save_entries(
    lists: tuple[RowSource, ...],
    target: Path,
    *,
    part: str = "",
    overwrite: bool = True,
    on_progress: Callable[[int], None] = lambda count: None,
) -> int:
    """Write the entries of these lists; their number. `on_progress` gets the number of entries read so far.

    Where they are not one whole directory, the first line is a comment with the `part` or the number of directories,
    so that an import of the file warns. The file is complete or does not exist. ReadError when not all entries can be
    read, OSError when it cannot be written.
    """
    used: set[CsvColumn] = set()
    owners: set[object] = set()
    count = 0
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass") as kept:
        # The columns are known when all entries were read.
        for each in lists:
            async for entry in each.rows():
                used.update(used_columns((entry,)))
                owners.add(entry.get("companyId"))
                kept.write(json.dumps(entry) + "\n")
                count += 1
                on_progress(count)
        kept.seek(0)
        columns = tuple(column for column in all_columns().values() if column in used)
        with saved_file(target, overwrite=overwrite) as file:
            description = part or (
                _("entries of {owners} directories").format(owners=number_text(len(owners))) if len(owners) > 1 else ""
            )
            for text in _lines(columns, (json.loads(text) for text in kept), " ".join(description.split())):
                file.write(text.encode("utf-8", "surrogatepass"))
    return count


def _lines(columns: tuple[CsvColumn, ...], entries: Iterator[RecordData], part: str) -> Iterator[str]:
    if part:
        yield f"{COMMENT} {PART}: {part}\n"
    yield line([column.name for column in columns], ";") + "\n"
    for entry in entries:
        yield line(cells_of(entry, columns), ";") + "\n"
