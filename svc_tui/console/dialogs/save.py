"""Where to save a file, and the dialogs for long work, such as a download: they show its progress."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import work
from textual.widget import Widget

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.widgets.formatting import duration
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files import downloads
from svc_tui.workspace.files.downloads import Converter, Download, SaveError, first_path
from svc_tui.workspace.files.saved_files import size_text

if TYPE_CHECKING:
    from svc_tui.workspace.files.downloads import TimedSink

T = TypeVar("T")

#: Seconds between two updates of the progress.
PROGRESS_INTERVAL = 0.5


@dataclass(frozen=True, slots=True)
class SaveTarget:
    """Where a file is saved; `over` whether an existing file may be replaced."""

    path: Path
    overwrite: bool = False


class SaveBox(PathBox[SaveTarget]):
    """Returns where to save, None when closed. An existing file is replaced only when that is accepted twice."""

    KEYS = (*PathBox.KEYS[:3], ACCEPT.labelled(_("Save")), CLOSE)

    def __init__(self, title: str, start: str) -> None:
        super().__init__(title, _("Only you can read the saved file."), start)
        self._refused = ""

    async def take(self, path: str) -> None:
        target, again = Path(path), path == self._refused
        why = await asyncio.to_thread(downloads.save_problem, target, overwrite=again)
        if not why:
            self.dismiss(SaveTarget(target, again))
        elif await asyncio.to_thread(downloads.save_problem, target, overwrite=True):
            self.show_error(why)
        else:
            self._refused = path
            self.show_error(f"{why} {self.with_keys(_('{accept} again replaces it.'))}")


class WorkBox(Box[T]):
    """Starts its work immediately and shows the progress; returns the result, or None when cancelled by closing it."""

    DEFAULT_CSS = "WorkBox #progress { text-style: bold; }"
    KEYS = (CLOSE.labelled(_("Stop")),)
    #: The keys once it failed.
    FAILED_KEYS: ClassVar[tuple[DialogKey, ...]] = (CLOSE,)
    #: What quitting would interrupt.
    LOSS = _("The check has not ended.")

    def __init__(self, title: str, about: str) -> None:
        super().__init__(title)
        self._about = about
        self._failed = False

    def current_keys(self) -> Sequence[DialogKey]:
        return self.FAILED_KEYS if self._failed else self.KEYS

    @abstractmethod
    async def outcome(self) -> T:
        """Do the work."""

    @abstractmethod
    def progress(self) -> str:
        """The progress in words."""

    def error_text(self, error: Exception) -> str:
        """The sentence for a failure."""
        return str(error)

    def body(self) -> Iterable[Widget]:
        yield plain(self._about)
        yield plain(self.progress(), id="progress")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.set_focus(None)
        self.set_interval(PROGRESS_INTERVAL, self._draw)
        self._run()

    @work(exit_on_error=False, group="work")
    async def _run(self) -> None:
        try:
            result = await self.outcome()
        except (ServiceError, ReadError, SaveError, BadFile, OSError) as error:
            self.put("#progress", "")
            self.put("#error", self.error_text(error))
            self._failed = True
            self.show_keys()
            return
        self.dismiss(result)

    @property
    def at_work(self) -> bool:
        """Whether the work has not ended."""
        return any(worker.group == "work" and worker.is_running for worker in self.workers)

    @property
    def loss(self) -> str:
        return self.LOSS if self.at_work else ""

    def _draw(self) -> None:
        if self.at_work:
            self.put("#progress", self.progress())

    def action_close(self) -> None:
        self.workers.cancel_group(self, "work")
        self.dismiss(None)


class DownloadBox(WorkBox[int]):
    """Downloads a file; returns the number of bytes."""

    LOSS = _("The download has not ended. Nothing would be saved.")

    def __init__(self, title: str, download: Download) -> None:
        super().__init__(title, str(download.target))
        self._download = download

    async def outcome(self) -> int:
        return await self._download.run()

    def progress(self) -> str:
        flow = self._download.sink
        return progress(flow) if flow is not None and flow.received else _("Waiting for the service…")

    def error_text(self, error: Exception) -> str:
        return _("{error}\nNothing was saved.").format(error=error)


def progress(flow: TimedSink) -> str:
    """The progress of a download: `4.2 MB of 21.0 MB   1.3 MB/s   13 s left`."""
    parts = [size_text(flow.received)]
    if flow.size is not None:
        parts[0] += _(" of {size}").format(size=size_text(flow.size))
    if flow.rate:
        parts.append(f"{size_text(int(flow.rate))}/s")
    if flow.time_left is not None:
        parts.append(_("{time_left} left").format(time_left=duration(flow.time_left)))
    return "   ".join(parts)


async def save(
    context: Context,
    title: str,
    operation_id: str,
    path: Mapping[str, str],
    name: object,
    turn: Converter | None = None,
    *,
    ending: str = ".csv",
) -> None:
    """Ask for a path, download the file to it and report the result; `turn` as in Download."""
    console = context.stage
    target = await console.ask(SaveBox(title, first_path(name, ending)))
    if target is None:
        return
    download = Download(context.workspace, operation_id, path, target.path, overwrite=target.overwrite, convert=turn)
    size = await console.ask(DownloadBox(title, download))
    if size is not None:
        context.stage.show_message(
            _("Saved {target} ({size}).").format(target=download.target, size=size_text(size)), "ok"
        )
    elif download.state != "failed":
        context.stage.show_message(_("Stopped. Nothing was saved."), "warn")
