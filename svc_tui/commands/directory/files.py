"""Directory files: local and remote checks, imports with progress, and their reports."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from svc_tui.client.client import Client
from svc_tui.client.errors import ServiceError, Unreachable
from svc_tui.commands import output, prompts
from svc_tui.commands.connection import connected
from svc_tui.commands.exits import CommandError, CommandExit, Exit, UsageError, print_message
from svc_tui.commands.progress import ProgressLine
from svc_tui.fast_dataclasses import dataclass
from svc_tui.interface.authentication import get_own_user
from svc_tui.interface.catalogue import operation
from svc_tui.interface.counts import counted
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import CsvFormat, format_of
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.doctor import ScanProgress, scan
from svc_tui.workspace.directory.entry_count import count_entries
from svc_tui.workspace.directory.import_run import ImportRun, import_summary
from svc_tui.workspace.directory.inspection import describe_fault, part_of, readable_file
from svc_tui.workspace.directory.reports import COLUMNS, entries_of, failure_reason, problem_rows, succeeded
from svc_tui.workspace.directory.target import ImportTarget, Purpose
from svc_tui.workspace.directory.upload import FileUpload
from svc_tui.workspace.files.text import size_text
from svc_tui.workspace.files.uploads import UnsuitableFile

Result = Mapping[str, Any]


class InvalidFile(CommandError):
    """The file cannot be read as a directory file."""

    code = Exit.REFUSED


@dataclass(frozen=True, slots=True)
class DirectoryFile:
    """A file, its CSV format, and the directory to check it for or to import it into."""

    file: Path
    csv_format: CsvFormat
    target: ImportTarget


def directory_file(
    file: Path, company: str, personal: bool, command: str, delimiter: str, comment: str
) -> DirectoryFile:
    """The file and the target of a command line. UsageError for conflicting options, InvalidFile for a bad format."""
    if sum(map(bool, (company, personal, command))) > 1:
        raise UsageError(_("Use only one of --company, --personal and --command."))
    try:
        file = readable_file(file)
    except UnsuitableFile as unfit:
        raise UsageError(str(unfit)) from None
    try:
        with file.open("rb") as opened:
            csv_format = format_of(opened, delimiter or None, comment)
    except BadFile as bad:
        raise InvalidFile(bad.sentence) from None
    purpose: Purpose = "personal" if personal else "synchronize" if command else "replace"
    return DirectoryFile(file, csv_format, ImportTarget(purpose, company, command_id=command))


def _scan_progress(progress: ScanProgress, began: float) -> str:
    elapsed, share = time.monotonic() - began, progress.read / progress.size if progress.size else 0
    text = _("{rows}, {faulty} with errors").format(
        rows=counted(progress.rows, "row"), faulty=number_text(progress.faulty)
    )
    if elapsed <= 0 or not share:
        return text
    return _("{text}   {rows} rows/s   {elapsed:.0f} s left").format(
        text=text, rows=number_text(progress.rows / elapsed, ",.0f"), elapsed=elapsed / share - elapsed
    )


def _upload_progress(sending: FileUpload) -> str:
    if 0 < sending.size <= sending.sent:
        return _("Uploaded. Waiting for the service…")
    left = sending.time_left
    text = _("{sent} of {size} uploaded").format(sent=size_text(sending.sent), size=size_text(sending.size))
    return text if left is None else _("{text}   {left:.0f} s left").format(text=text, left=left)


def _import_progress(importing: ImportRun) -> str:
    if importing.phase == "sending":
        return _upload_progress(importing.upload)
    return f"{importing.error_message or importing.status.get('state')}   {import_summary(importing.status)}"


def check_locally(source: DirectoryFile, country: str) -> dict[str, Any]:
    """Check every row on this machine; a result like that of the service (2.19). InvalidFile."""
    line, began, csv_format = ProgressLine(), time.monotonic(), source.csv_format

    def report(progress: ScanProgress) -> bool:
        line.update(lambda: _scan_progress(progress, began))
        return True

    try:
        doctor = scan(
            source.file,
            delimiter=csv_format.delimiter,
            comment=csv_format.comment,
            synchronizing=source.target.purpose == "synchronize",
            country=country,
            on_progress=report,
        )
    except BadFile as bad:
        raise InvalidFile(describe_fault(source.file, csv_format.encoding, bad)) from None
    finally:
        line.clear()
    if not doctor.total:
        raise InvalidFile(_("The file has no rows after its first line."))
    errors = {
        f"entry{row.number}": {"csvSource": row.row.source, "errors": [fault.wire() for fault in row.faults]}
        for row in doctor.rows
    }
    return {"okCount": doctor.total - doctor.left, "errorCount": doctor.left, "errorReport": errors}


async def check_remotely(source: DirectoryFile, profile: str) -> dict[str, Any]:
    """Let the service check the file; its result. ServiceError, OSError."""
    async with connected(profile) as client:
        target = await _with_company(client, source.target)
        sending = FileUpload(
            ClientImportService(client),
            target.operations.check,
            source.file,
            source.csv_format,
            query=target.check_query,
        )
        async with ProgressLine().updating(lambda: _upload_progress(sending)):
            answer = await sending.run()
    return dict(answer.get("data") or {})


async def import_remotely(
    source: DirectoryFile, label: str, profile: str, *, read_only: bool, confirmed: bool = False
) -> tuple[dict[str, Any], int | None]:
    """Import the file; the report, and the number of entries before the import, where known.

    Unless `confirmed`, replacing entries requires a confirmation on the terminal: CommandExit when it is refused.
    Without a terminal a file with a part of a directory is an InvalidFile. ServiceError, OSError.
    """
    async with connected(profile, read_only=read_only) as client:
        target, service = await _with_company(client, source.target), ClientImportService(client)
        before = await count_entries(service, target)
        if not confirmed and not read_only and target.purpose != "synchronize" and before != 0:
            _confirm(source, before)
        importing = ImportRun(service, target, source.file, source.csv_format, label=label)
        try:
            async with ProgressLine().updating(lambda: _import_progress(importing)):
                return dict(await importing.run()), before
        except ReadError as error:
            raise (error.__cause__ if isinstance(error.__cause__, Exception) else error) from None
        except asyncio.CancelledError:
            print_message(importing.notice_on_leaving)
            raise


def _confirm(source: DirectoryFile, entries: int | None) -> None:
    """Ask for a confirmation before the directory is replaced. CommandExit and InvalidFile as in `import_remotely`."""
    part = part_of(source.file, source.csv_format)
    if not prompts.interactive():
        if part:
            raise InvalidFile(
                _(
                    "The file contains only a part of a directory ({part}), so the other entries would "
                    "be lost. Use --yes to import it."
                ).format(part=part)
            )
        return
    if part:
        print_message(
            _("The file contains only a part of a directory ({part}). The other entries will be lost.").format(
                part=part
            )
        )
    if not _confirmed(entries):
        print_message(_("Nothing was imported."))
        raise CommandExit(Exit.REFUSED)


def _confirmed(entries: int | None) -> bool:
    """The answer to the confirmation prompt; the end of the input means no."""
    count = _("unknown number of entries") if entries is None else counted(entries, "entry", "entries")
    # Ctrl+C ends the prompt immediately; otherwise it would wait for the end of the line.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.stderr.write(_("This replaces the whole directory ({count}). Continue? [y/N] ").format(count=count))
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    finally:
        signal.signal(signal.SIGINT, previous)


async def _with_company(client: Client, target: ImportTarget) -> ImportTarget:
    """The target, with the caller's own company unless another one is named."""
    if target.purpose != "replace" or target.company_id:
        return target
    user = (await client.call(get_own_user)).data
    return replace(target, company_id=user.company_id or "")


class ClientImportService:
    """The client with operations by name, as an import uses it."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: Any = None,
    ) -> dict[str, Any]:
        """The body of a response. ServiceError."""
        answer = await self._client.send(operation(operation_id), path=path or {}, query=query or {}, body=body)
        return dict(answer.body)

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response. ReadError, with the client's error as its cause."""
        try:
            return await self.perform(operation_id, path=path, query=query)
        except ServiceError as error:
            raise ReadError(error.sentence, offline=isinstance(error, Unreachable)) from error


def report_check(result: Result, format: output.Format) -> int:
    """Write the result of a check; the exit code."""
    correct, wrong = int(result.get("okCount") or 0), int(result.get("errorCount") or 0)
    _write(result, format)
    print_message(
        _("{rows} correct, {wrong} with errors.").format(rows=counted(correct, "row"), wrong=number_text(wrong))
    )
    return Exit.REFUSED if wrong else Exit.DONE


def report_import(report: Result, format: output.Format, before: int | None = None) -> int:
    """Write the report of an import and the number of entries before it; the exit code."""
    _write(report, format)
    if reason := failure_reason(report):
        print_message(_("Nothing was imported: {reason}").format(reason=reason))
    else:
        entries = (
            ""
            if before is None
            else _(" The directory had {entries} before.").format(entries=counted(before, "entry", "entries"))
        )
        print_message(f"{report.get('state')}: {import_summary(report)}.{entries}")
    return Exit.DONE if succeeded(report) else Exit.REFUSED


def _write(result: Result, format: output.Format) -> None:
    if format == "json":
        output.write_json(result)
        return
    rows = problem_rows(entries_of(result))
    if format == "csv":
        output.Csv(COLUMNS).write(rows)
    elif rows:
        output.write_table(rows, COLUMNS)
