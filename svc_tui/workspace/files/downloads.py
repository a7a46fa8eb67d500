"""Files of the service, saved on this machine: poured to disk as they come, there whole or not at all."""

from __future__ import annotations

import asyncio
import re
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, BinaryIO

from svc_tui.cache.private_folder import private_folder
from svc_tui.workspace.core.service import Downloader
from svc_tui.workspace.files.progress import UnderWay
from svc_tui.workspace.files.shared_files import replacing

#: Writes what came as the file that is wanted; its size in bytes. NotSaved when it cannot be made of it.
Turn = Callable[[BinaryIO, BinaryIO], int]
#: Longest file name that is proposed.
_LONGEST_NAME = 120


class NotSaved(Exception):
    """A file could not be written here; its text is the sentence that says why."""


class Flow:
    """What comes in: `got` bytes of `size` (None: nobody said) since the last beginning, written to a file."""

    def __init__(self, file: IO[bytes], seconds: Callable[[], float] = time.monotonic) -> None:
        self.got = 0
        self.size: int | None = None
        self._file, self._seconds = file, seconds
        self._began = seconds()

    def begin(self, size: int | None) -> None:
        """A body begins; the file holds nothing of an attempt that broke off."""
        self._file.seek(0)
        self._file.truncate()
        self.got, self.size, self._began = 0, size, self._seconds()

    def take(self, piece: bytes) -> None:
        """Write the next bytes. OSError when they cannot be written."""
        self._file.write(piece)
        self.got += len(piece)

    @property
    def rate(self) -> float | None:
        """Bytes a second, None before there is anything to tell."""
        spent = self._seconds() - self._began
        return self.got / spent if self.got and spent > 0 else None

    @property
    def time_left(self) -> float | None:
        """Seconds that the rest will take, None where nobody said how long it is."""
        rate = self.rate
        return max(0, self.size - self.got) / rate if rate and self.size is not None else None


def nameless(folder: Path) -> IO[bytes]:
    """A file without a name, for what need not stay: whatever happens, it is gone with who opened it.

    It lies in a folder for this user alone. OSError when there can be none.
    """
    return tempfile.TemporaryFile(dir=private_folder(folder))


class Download(UnderWay):
    """One file on its way to a place on this machine; given up by cancelling what runs it.

    Whatever happens, nothing half stands under the name of the target. `over`: a file that is there may be replaced.
    `turn` makes the file out of what came, in a thread, where that is not the file itself.
    """

    def __init__(
        self,
        service: Downloader,
        operation_id: str,
        path: Mapping[str, str],
        target: Path,
        *,
        over: bool = False,
        turn: Turn | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.target = target
        self.flow: Flow | None = None
        self._service, self._operation_id, self._path = service, operation_id, dict(path)
        self._over, self._seconds, self._turn = over, seconds, turn

    async def run(self) -> int:
        """Download and save it; the number of bytes. ServiceError when it did not come, NotSaved when it could not
        be written."""
        with self.running():
            if why := why_not_saved(self.target, over=self._over):
                raise NotSaved(why)
            self.target = self.target.expanduser()
            try:
                with replacing(self.target, over=self._over) as file:
                    return await (self._pour(file) if self._turn is None else self._turned(file, self._turn))
            except OSError as error:
                raise NotSaved(f"{self.target} could not be written: {_said(error)}.") from None

    async def _pour(self, file: BinaryIO) -> int:
        self.flow = Flow(file, self._seconds)
        await self._service.download(self._operation_id, self._path, self.flow)
        return self.flow.got

    async def _turned(self, file: BinaryIO, turn: Turn) -> int:
        with tempfile.TemporaryFile() as came:
            await self._pour(came)
            return await asyncio.to_thread(turn, came, file)


def why_not_saved(target: Path, *, over: bool = False) -> str:
    """Why nothing can be saved under a name, as far as a look at it tells; empty when it can."""
    try:
        target = target.expanduser()
        if target.is_dir():
            return f"{target} is a folder: give the file a name in it."
        if not target.parent.is_dir():
            return f"There is no folder {target.parent}."
        if target.exists() and not over:
            return f"{target} is there already."
    except (OSError, ValueError, RuntimeError) as error:
        return f"{target} cannot be used: {_said(error)}."
    return ""


def proposed(name: object, ending: str) -> str:
    """A file name for what the service calls by a name: nothing in it leads elsewhere or disturbs a terminal."""
    last = str(name or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    plain = re.sub(r"[^\w .@+()-]", "_", last).lstrip(". -").rstrip(". ")
    stem = plain[: -len(ending)] if plain.lower().endswith(ending) else plain
    return f"{stem[:_LONGEST_NAME] or 'file'}{ending}"


def _said(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
