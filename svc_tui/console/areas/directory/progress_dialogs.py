"""Dialogs for long work on directory files."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.client.errors import OutcomeUnknown, Unreachable
from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.save import WorkBox
from svc_tui.interface.directory.csv import corrections, faults
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory import doctor, inspection
from svc_tui.workspace.directory.import_run import UNKNOWN, import_summary
from svc_tui.workspace.files.saved_files import size_text

if TYPE_CHECKING:
    from svc_tui.interface.directory.csv.faults import BadFile
    from svc_tui.interface.directory.csv.reading import CsvFormat
    from svc_tui.workspace.directory.check_run import CheckRun
    from svc_tui.workspace.directory.doctor import Doctor, ScanProgress
    from svc_tui.workspace.directory.import_run import ImportRun
    from svc_tui.workspace.directory.target import ImportTarget
    from svc_tui.workspace.directory.upload import FileUpload

CORRECT_LINE = DialogKey("csv.correct", ("e",), "Repair line", "Repair the line that cannot be read")


def rate(count: int, what: str, spent: float, done: float) -> str:
    """Speed and remaining time as a separate line; `done` is the finished part, from 0 to 1."""
    if spent <= 0 or not done:
        return ""
    return _("\n{count} {what} a second   {spent:.0f} s left").format(
        count=number_text(count / spent, ",.0f"), what=what, spent=spent / done - spent
    )


class ScanBox(WorkBox["Doctor | BadFile"]):
    """Reads and checks a file on this machine, in a thread; returns its doctor, or the fault of a repairable line."""

    FAULTY_KEYS = (CORRECT_LINE, CLOSE)

    def __init__(self, path: Path, csv_format: CsvFormat, target: ImportTarget) -> None:
        super().__init__(
            _("Check {name}").format(name=path.name), _("Every row is checked on this machine. Nothing is sent.")
        )
        self._path, self._csv_format, self._target = path, csv_format, target
        self._progress: ScanProgress | None = None
        self._began = time.monotonic()
        self._stopped = False
        self._bad: BadFile | None = None

    async def outcome(self) -> Doctor | BadFile:
        target, csv_format = self._target, self._csv_format
        try:
            return await asyncio.to_thread(
                doctor.scan,
                self._path,
                csv_format,
                synchronizing=target.purpose == "synchronize",
                country=target.country,
                on_progress=self._report,
            )
        except doctor.ScanStopped:
            raise asyncio.CancelledError from None

    def _report(self, progress: ScanProgress) -> bool:
        """Called in the thread."""
        self._progress = progress
        return not self._stopped

    def progress(self) -> str:
        found = self._progress
        if found is None:
            return _("reading…")
        spent = time.monotonic() - self._began
        going = rate(found.rows, "rows", spent, found.read / found.size if found.size else 0)
        return f"{scanned_words(found)}{going}"

    def error_text(self, error: Exception) -> str:
        if not isinstance(error, faults.BadFile):
            return str(error)
        if corrections.can_be_corrected(error):
            self._bad = error
        return inspection.describe_fault(self._path, self._csv_format.encoding, error, self._csv_format.corrected)

    def current_keys(self) -> Sequence[DialogKey]:
        return self.FAULTY_KEYS if self._bad is not None else super().current_keys()

    def action_correct(self) -> None:
        self.dismiss(self._bad)

    def action_close(self) -> None:
        self._stopped = True
        super().action_close()


def scanned_words(progress: ScanProgress) -> str:
    """The number of checked rows: `1 row, 0 with errors`."""
    return _("{rows}, {faulty} with errors").format(
        rows=counted(progress.rows, "row"), faulty=number_text(progress.faulty)
    )


def sent_words(sending: FileUpload) -> str:
    """The sent part of a file: `4.2 MB of 21.0 MB sent   13 s left`; its size is known when it begins to be sent."""
    if not sending.size:
        return _("connecting…")
    text = _("{sent} of {size} sent").format(sent=size_text(sending.sent), size=size_text(sending.size))
    left = sending.time_left
    return text if left is None else _("{text}   {left:.0f} s left").format(text=text, left=left)


class CheckBox(WorkBox[dict[str, Any]]):
    """Lets the service check a file; returns its response."""

    def __init__(self, name: str, check: CheckRun) -> None:
        super().__init__(
            _("Check {name} on the service").format(name=name), _("The service checks every row. Nothing is changed.")
        )
        self._check = check

    async def outcome(self) -> dict[str, Any]:
        return await self._check.run()

    def progress(self) -> str:
        sending = self._check.upload
        return _("checking on the service…") if 0 < sending.size <= sending.sent else sent_words(sending)


def _silent(error: Exception) -> bool:
    """Whether the service did not respond, so that the result is unknown."""

    return isinstance(error, OutcomeUnknown | Unreachable) or (isinstance(error, ReadError) and error.offline)


class ImportBox(WorkBox[dict[str, Any]]):
    """Imports a file; returns the report. Closing stops the import without any changes."""

    LOSS = _("The import has not ended. Its result would not be shown.")

    def __init__(self, name: str, importing: ImportRun) -> None:
        super().__init__(
            _("Import {name}").format(name=name), _("The directory is not changed before the import is complete.")
        )
        self._importing = importing

    async def outcome(self) -> dict[str, Any]:
        return dict(await self._importing.run())

    def progress(self) -> str:
        importing = self._importing
        if importing.phase == "stopping":
            return _("stopping…")
        if not importing.sent:
            return sent_words(importing.upload)
        state = importing.error_message or str(importing.status.get("state") or _("starting…"))
        counts = import_summary(importing.status) if importing.status else ""
        return f"{state}   {counts}".rstrip()

    def error_text(self, error: Exception) -> str:
        if self._importing.sent and _silent(error):
            return _("{error}\n{unknown}\nYour corrections are kept.").format(error=error, unknown=UNKNOWN)
        return _("{error}\nYour corrections are kept.").format(error=error)

    def action_close(self) -> None:
        """Cancel the upload, or stop the import on the service; an import by command continues."""
        if self.at_work and self._importing.sent and self._importing.stop():
            self.put("#progress", self.progress())
            return
        super().action_close()
