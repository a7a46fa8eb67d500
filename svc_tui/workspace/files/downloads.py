"""Downloads of files: written to disk while received, the file is complete or does not exist; and their state."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Literal

from svc_tui.cache.opening import private_folder
from svc_tui.client.content import FileSink
from svc_tui.interface.texts import file_name
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.core.service import Downloader
from svc_tui.workspace.files.saved_files import reason_of, saved_file

TransferState = Literal["new", "running", "done", "stopped", "failed"]


class Transfer:
    """Base of uploads and downloads. The state is `stopped` when the task that runs it was cancelled."""

    state: TransferState = "new"

    @contextmanager
    def running(self) -> Iterator[None]:
        """The transfer runs during the block; the way the block ends sets the state."""
        self.state = "running"
        try:
            yield
        except Exception:
            self.state = "failed"
            raise
        except BaseException:
            self.state = "stopped"
            raise
        self.state = "done"


#: Converts the downloaded file into the file to save; its size in bytes. SaveError when that is not possible.
Converter = Callable[[BinaryIO, BinaryIO], int]


class SaveError(Exception):
    """A file that cannot be saved; the message is a sentence."""


class TimedSink(FileSink):
    """A download to a file, and how long it takes since its last start."""

    def __init__(self, file: IO[bytes], seconds: Callable[[], float] = time.monotonic) -> None:
        super().__init__(file)
        self._seconds = seconds
        self._began = seconds()

    def begin(self, size: int | None) -> None:
        """A body starts; bytes of an interrupted attempt are dropped."""
        super().begin(size)
        self._began = self._seconds()

    @property
    def rate(self) -> float | None:
        """Bytes a second, None before the first."""
        spent = self._seconds() - self._began
        return self.received / spent if self.received and spent > 0 else None

    @property
    def time_left(self) -> float | None:
        """Seconds left, None when the size is unknown."""
        rate = self.rate
        return max(0, self.size - self.received) / rate if rate and self.size is not None else None


def unnamed_file(folder: Path) -> IO[bytes]:
    """A temporary file without a name: it is deleted when it is closed, even after a crash.

    It is in a folder that only this user can read. OSError when it cannot be created.
    """
    return tempfile.TemporaryFile(dir=private_folder(folder))


class Download(Transfer):
    """One download to a file; cancelled with the task that runs it.

    The target is never incomplete. `overwrite`: an existing file may be replaced. `convert` makes the file to save
    from the downloaded one, in a thread.
    """

    def __init__(
        self,
        service: Downloader,
        operation_id: str,
        path: Mapping[str, str],
        target: Path,
        *,
        overwrite: bool = False,
        convert: Converter | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.target = target
        self.sink: TimedSink | None = None
        self._service, self._operation_id, self._path = service, operation_id, dict(path)
        self._overwrite, self._seconds, self._convert = overwrite, seconds, convert

    async def run(self) -> int:
        """Download and save the file; its size in bytes. ServiceError when it cannot be downloaded, SaveError when it
        cannot be written."""
        with self.running():
            if problem := save_problem(self.target, overwrite=self._overwrite):
                raise SaveError(problem)
            self.target = expanded(self.target)
            try:
                with saved_file(self.target, overwrite=self._overwrite) as file:
                    if self._convert is None:
                        return await self._fetch(file)
                    return await self._write_converted(file, self._convert)
            except OSError as error:
                raise SaveError(
                    _("Cannot write {target}: {reason}.").format(target=self.target, reason=reason_of(error))
                ) from None

    async def _fetch(self, file: BinaryIO) -> int:
        self.sink = TimedSink(file, self._seconds)
        await self._service.download(self._operation_id, self._path, self.sink)
        return self.sink.received

    async def _write_converted(self, file: BinaryIO, convert: Converter) -> int:
        with tempfile.TemporaryFile() as fetched:
            await self._fetch(fetched)
            return await asyncio.to_thread(convert, fetched, file)


def save_problem(target: Path, *, overwrite: bool = False) -> str:
    """Why a file cannot be saved under a name; empty when it probably can."""
    try:
        target = expanded(target)
        if target.is_dir():
            return _("{target} is a folder. Add a file name.").format(target=target)
        if not target.parent.is_dir():
            return _("The folder {parent} does not exist.").format(parent=target.parent)
        if target.exists() and not overwrite:
            return _("{target} already exists.").format(target=target)
    except (OSError, ValueError, RuntimeError) as error:
        return _("Cannot use {target}: {reason}.").format(target=target, reason=reason_of(error))
    return ""


def first_path(name: object, ending: str) -> str:
    """The path that is suggested: in the download folder if it exists, otherwise in the home folder."""
    folder = Path("~/Downloads")
    return str((folder if expanded(folder).is_dir() else Path("~")) / file_name(name, ending))
