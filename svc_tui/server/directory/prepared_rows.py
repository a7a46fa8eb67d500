"""What the rows of a synchronising import change, prepared before the transaction in which others wait.

The transaction only compares the entries that the rows name with those that were prepared for, and writes. Rows whose
entries were changed since they were read, or that name an entry which an earlier row names, are applied in the
transaction.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import IO

from pydantic_core import from_json

from svc_tui.server.directory.applying import entries_named, keys_of, outcome_of
from svc_tui.server.directory.csv_rows import CheckedRow
from svc_tui.server.directory.import_reports import listed_rows
from svc_tui.server.directory.stored import StoredDirectory
from svc_tui.server.http.uploads import IN_MEMORY
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import In
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import PreparedRow

#: More entries than any directory holds.
_ANY_ROOM = 2**62


@dataclass(slots=True)
class PreparedChange:
    """The changes of some rows in a directory with these entries."""

    directory: str
    keys: set[str]
    #: Of the entries with these identifiers.
    fingerprint: bytes
    removed: tuple[str, ...]
    put: list[PreparedRow]
    #: The status of each row, and the rows of the report that lists their results.
    statuses: list[str]
    listed: list[PreparedRow]

    async def written(self, store: Store, directory: StoredDirectory, room: int) -> bool:
        """Whether it was written. It was not if the directory differs from what it was prepared for."""
        if self.directory != directory.id or self.statuses.count("created") > room:
            return False
        if fingerprint_of(await entries_named(store, directory.id, self.keys)) != self.fingerprint:
            return False
        if self.removed:
            await store.directory_entries.remove_all(In("id", self.removed))
        await store.directory_entries.put_prepared(self.put)
        return True


def fingerprint_of(entries: Sequence[str]) -> bytes:
    """Differs for other entries."""
    return sha256("\n".join(entries).encode()).digest()


class PreparedRows:
    """Batches of rows in their order, each with its change, in a file that only this process has."""

    def __init__(self, file: IO[bytes], service: Service, report_id: str) -> None:
        self._file, self._service, self._report_id = file, service, report_id
        self._seen: set[str] = set()
        self._rows = 0

    async def add(self, directory: StoredDirectory, batch: Sequence[CheckedRow]) -> None:
        """Prepare and keep the next rows."""
        keys = keys_of(batch)
        change = await self._change(directory, batch, keys) if self._seen.isdisjoint(keys) else None
        self._seen |= keys
        self._rows += len(batch)
        # Rows are hardly ever needed again, and take longer to read than their change.
        pickle.dump((change, pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)), self._file, pickle.HIGHEST_PROTOCOL)

    async def _change(self, directory: StoredDirectory, batch: Sequence[CheckedRow], keys: set[str]) -> PreparedChange:
        service = self._service
        async with service.database.unit() as store:
            named = await entries_named(store, directory.id, keys)
            now = service.clock.now()
            present = [from_json(text) for text in named]
            outcome = outcome_of(directory, batch, present, ids=service.ids, now=now, room=_ANY_ROOM)
            put = store.directory_entries.prepared(outcome.put)
            results = outcome.results
            listed = store.imported_rows.prepared(listed_rows(self._report_id, self._rows, batch, results))
        statuses = [result.status or "" for result in results]
        return PreparedChange(directory.id, keys, fingerprint_of(named), outcome.removed, put, statuses, listed)

    def __iter__(self) -> Iterator[tuple[PreparedChange | None, Callable[[], list[CheckedRow]]]]:
        """All changes, from the first, each with the function that reads its rows."""
        end = self._file.tell()
        self._file.seek(0)
        while self._file.tell() < end:
            change, batch = pickle.load(self._file)
            yield change, lambda batch=batch: pickle.loads(batch)  # type: ignore[misc]


@contextmanager
def prepared_rows(service: Service, report_id: str) -> Iterator[PreparedRows]:
    """A place for rows, which is gone after the block."""
    with tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(service.settings.data_dir)) as file:
        yield PreparedRows(file, service, report_id)
