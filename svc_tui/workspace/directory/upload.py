"""Upload of a directory file: read, converted to UTF-8 and sent in pieces, with its progress."""

from __future__ import annotations

import asyncio
import codecs
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

from svc_tui.client.content import Stream
from svc_tui.interface.directory.csv.encodings import UTF8
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.workspace.core.service import Performer
from svc_tui.workspace.files.downloads import Transfer
from svc_tui.workspace.files.uploads import CSV_TYPE

#: Sent for a file without a comment sign: an empty parameter would select the default of the service. This character
#: does not occur in texts.
NO_COMMENT = "\x1f"
#: Bytes of one piece.
_PIECE = 256 * 1024


class FileUpload(Transfer):
    """The upload of one file; cancelled with the task that runs it. `sent` and `size` are bytes of the file."""

    def __init__(
        self,
        performer: Performer,
        operation_id: str,
        file: Path,
        csv_format: CsvFormat,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.sent = 0
        self.size = 0
        self._performer, self._operation_id, self._file, self._csv_format = performer, operation_id, file, csv_format
        self._path = dict(path or {})
        signs = {"delimiter": csv_format.delimiter, "comment": csv_format.comment or NO_COMMENT}
        self._query: dict[str, object] = {**{name: sign for name, sign in signs.items() if sign}, **(query or {})}
        self._seconds = seconds
        self._began = seconds()

    async def run(self) -> dict[str, Any]:
        """Send the file; the response. ServiceError as `perform` raises it, OSError when the file cannot be read."""
        with self.running():
            self.size, self._began = self._file.stat().st_size, self._seconds()
            stream = Stream(CSV_TYPE, self._pieces, self.size if self._csv_format.encoding == UTF8 else None)
            return await self._performer.perform(self._operation_id, path=self._path, query=self._query, body=stream)

    @property
    def time_left(self) -> float | None:
        """Seconds left; None before the first piece."""
        spent = self._seconds() - self._began
        return (self.size - self.sent) * spent / self.sent if self.sent and spent > 0 else None

    async def _pieces(self) -> AsyncIterator[bytes]:
        self.sent = 0
        decoder = codecs.getincrementaldecoder(self._csv_format.encoding)()
        with self._file.open("rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                self.sent += len(piece)
                yield piece if self._csv_format.encoding == UTF8 else decoder.decode(piece).encode()
            if rest := decoder.decode(b"", final=True):
                yield rest.encode()
