"""Directory files: local and remote checks, imports with progress, and their reports."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from svc_tui.client.client import Client
from svc_tui.client.errors import ServiceError, Unreachable
from svc_tui.commands import output, prompts
from svc_tui.commands.connection import connected
from svc_tui.commands.directory.source import DirectoryFile, InvalidFile, checked
from svc_tui.commands.exits import CommandExit, Exit, print_message
from svc_tui.commands.progress import ProgressLine
from svc_tui.interface.authentication import get_own_user
from svc_tui.interface.catalogue import operation
from svc_tui.interface.counts import counted
from svc_tui.interface.directory.csv.encodings import UTF8, name_of
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.conversion import (
    CONVERTED,
    ConvertedRows,
    convert,
    local_faults,
    unsent_report,
    whole_check,
    whole_report,
)
from svc_tui.workspace.directory.doctor import Doctor
from svc_tui.workspace.directory.entry_count import count_entries
from svc_tui.workspace.directory.import_run import ImportRun, import_summary
from svc_tui.workspace.directory.inspection import part_of
from svc_tui.workspace.directory.reports import COLUMNS, entries_of, failure_reason, problem_rows, succeeded
from svc_tui.workspace.directory.target import ImportTarget, company_operation
from svc_tui.workspace.directory.upload import FileUpload
from svc_tui.workspace.files.saved_files import saved_file
from svc_tui.workspace.files.text import size_text

Result = Mapping[str, Any]


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


def check_locally(source: DirectoryFile) -> dict[str, Any]:
    """Check every row on this machine; a result like that of the service (2.19). InvalidFile."""
    return _local_result(source, checked(source))


def _local_result(source: DirectoryFile, doctor: Doctor) -> dict[str, Any]:
    result = {"okCount": doctor.total - doctor.left, "errorCount": doctor.left, "errorReport": local_faults(doctor)}
    return {**result, "encoding": source.csv_format.encoding}


@contextmanager
def converted(doctor: Doctor) -> Iterator[tuple[Path, ConvertedRows]]:
    """The right rows of a file in the format of the service, in a file that exists during the block. OSError."""
    with tempfile.TemporaryDirectory(prefix="svc-tui-") as folder:
        path = Path(folder) / "converted.csv"
        with path.open("wb") as out:
            rows = convert(doctor, out)
        yield path, rows


def write_converted(source: DirectoryFile, output_path: Path | None) -> dict[str, Any]:
    """Write the right rows in the format of the service to a file, or to standard output; the result of the check."""
    doctor = checked(source)
    if output_path is None:
        convert(doctor, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    else:
        with saved_file(output_path) as out:
            convert(doctor, out)
    return _local_result(source, doctor)


async def check_remotely(source: DirectoryFile, profile: str) -> dict[str, Any]:
    """Let the service check the file; its result. ServiceError, OSError."""
    async with connected(profile) as client:
        source = replace(source, target=await _with_company(client, source.target))
        doctor, target = await asyncio.to_thread(checked, source), source.target
        with converted(doctor) as (path, rows):
            result: Result = {"okCount": 0, "errorCount": 0}
            if rows.numbers:
                service, check = ClientImportService(client), target.operations.check
                sending = FileUpload(service, check, path, CONVERTED, query=target.check_query)
                async with ProgressLine().updating(lambda: _upload_progress(sending)):
                    result = (await sending.run()).get("data") or {}
            return {**whole_check(result, rows, doctor), "encoding": source.csv_format.encoding}


async def import_remotely(
    source: DirectoryFile, label: str, profile: str, *, read_only: bool, confirmed: bool = False
) -> tuple[dict[str, Any], int | None]:
    """Import the file; the report, and the number of entries before the import, where known.

    Unless `confirmed`, replacing entries requires a confirmation on the terminal: CommandExit when it is refused.
    Without a terminal a file with a part of a directory is an InvalidFile. ServiceError, OSError.
    """
    async with connected(profile, read_only=read_only) as client:
        target, service = await _with_company(client, source.target), ClientImportService(client)
        source = replace(source, target=target)
        doctor = await asyncio.to_thread(checked, source)
        before = await count_entries(service, target)
        if not confirmed and not read_only and target.purpose != "synchronize" and before != 0:
            _confirm(source, before)
        with converted(doctor) as (path, rows):
            if not rows.numbers:
                return unsent_report(doctor), before
            importing = ImportRun(service, target, path, CONVERTED, label=label)
            report = await _followed(importing)
            return {**whole_report(report, rows, doctor), "encoding": source.csv_format.encoding}, before


async def _followed(importing: ImportRun) -> Mapping[str, Any]:
    """The report of an import, with its progress on the terminal. ServiceError, OSError."""
    try:
        async with ProgressLine().updating(lambda: _import_progress(importing)):
            return await importing.run()
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
    """The target with its company, by default the caller's own one, and the country of that company."""
    own = (await client.call(get_own_user)).data.company_id or ""
    company_id = target.company_id or own
    try:
        reads = company_operation(company_id, own)
        body = await ClientImportService(client).read(reads, {"companyId": company_id}, {"format": "full"})
        country = str((body.get("data") or {}).get("country") or "")
    except ReadError:
        country = ""
    return replace(target, company_id=company_id if target.purpose == "replace" else target.company_id, country=country)


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
        + _read_as(result)
    )
    return Exit.REFUSED if wrong else Exit.DONE


def report_conversion(result: Result) -> int:
    """Write the rows with errors of a conversion to standard error; the exit code."""
    correct, wrong = int(result["okCount"]), int(result["errorCount"])
    for row in problem_rows(entries_of(result)):
        print_message(_("row {row}: {column} {problem}").format(**{**row, "column": row["column"] or ""}))
    print_message(
        _("{rows} written, {wrong} with errors left out.").format(
            rows=counted(correct, "row"), wrong=number_text(wrong)
        )
        + _read_as(result)
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
        print_message(f"{report.get('state')}: {import_summary(report)}.{entries}{_read_as(report)}")
    return Exit.DONE if succeeded(report) else Exit.REFUSED


def _read_as(result: Result) -> str:
    """The encoding in which the file was read, where it is not UTF-8."""
    encoding = str(result.get("encoding") or UTF8)
    return "" if encoding.startswith(UTF8) else _(" Read as {encoding}.").format(encoding=name_of(encoding))


def _write(result: Result, format: output.Format) -> None:
    if format == "json":
        output.write_json(result)
        return
    rows = problem_rows(entries_of(result))
    if format == "csv":
        output.Csv(COLUMNS).write(rows)
    elif rows:
        output.write_table(rows, COLUMNS)
