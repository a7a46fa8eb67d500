"""Rows of a file that are checked before the transaction that needs them begins."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from svc_tui.server.directory.csv_rows import CheckedRow
from svc_tui.server.settings import Settings
from svc_tui.server.uploads import IN_MEMORY


class CheckedRows:
    """Batches of rows in their order, in a file that only this process has."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def add(self, batch: list[CheckedRow]) -> None:
        """Keep the next rows of a file."""
        pickle.dump(batch, self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[list[CheckedRow]]:
        """All batches, from the first."""
        end = self._file.tell()
        self._file.seek(0)
        while self._file.tell() < end:
            yield pickle.load(self._file)


@contextmanager
def checked_rows(settings: Settings) -> Iterator[CheckedRows]:
    """A place for rows, which is gone after the block."""
    with tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(settings.data_dir)) as file:
        yield CheckedRows(file)
