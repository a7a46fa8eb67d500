"""Download of a file: where to save it, and its progress."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.widget import Widget

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.widgets.formatting import duration
from svc_tui.language import _
from svc_tui.workspace.files import downloads
from svc_tui.workspace.files.saved_files import size_text

if TYPE_CHECKING:
    from svc_tui.workspace.files.downloads import Download, TimedSink

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


class DownloadBox(Box[int]):
    """Downloads a file and shows the progress; returns the number of bytes. Closing it cancels the download."""

    DEFAULT_CSS = "DownloadBox #progress { text-style: bold; }"
    KEYS = (CLOSE.labelled(_("Stop")),)

    def __init__(self, title: str, download: Download) -> None:
        super().__init__(title)
        self._download = download
        self._failed = False

    def current_keys(self) -> Sequence[DialogKey]:
        return (CLOSE,) if self._failed else self.KEYS

    def body(self) -> Iterable[Widget]:
        yield plain(str(self._download.target))
        yield plain(_("Waiting for the service…"), id="progress")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.set_focus(None)
        self.set_interval(PROGRESS_INTERVAL, self._draw)
        self._run()

    @work(exit_on_error=False, group="download")
    async def _run(self) -> None:
        try:
            size = await self._download.run()
        except (ServiceError, downloads.SaveError) as error:
            self.put("#error", _("{error}\nNothing was saved.").format(error=error))
            self.put("#progress", "")
            self._failed = True
            self.show_keys()
            return
        self.dismiss(size)

    @property
    def loss(self) -> str:
        return _("The download has not ended. Nothing would be saved.") if self._download.state == "running" else ""

    def _draw(self) -> None:
        flow = self._download.sink
        if flow is not None and flow.received and self._download.state == "running":
            self.put("#progress", progress(flow))

    def action_close(self) -> None:
        # The worker is cancelled with the dialog.
        self.dismiss(None)


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
