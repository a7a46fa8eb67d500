"""Directory files: local and remote checks, imports with progress, and their reports."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from svc_tui.client.api import Client, ServiceError
from svc_tui.commands import output, prompts
from svc_tui.commands.connection import ClientService, connected
from svc_tui.commands.directory.source import DirectoryFile, InvalidFile, checked
from svc_tui.commands.event_loop import Amount, counting
from svc_tui.commands.exits import CommandExit, Exit, print_message
from svc_tui.interface.directory.csv.encodings import UTF8, name_of
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.conversion import (
    CONVERTED,
    ConvertedRows,
    check_result,
    convert,
    unsent_report,
    whole_check,
    whole_report,
)
from svc_tui.workspace.directory.doctor import Doctor
from svc_tui.workspace.directory.import_run import ImportRun, entries_counted, import_summary
from svc_tui.workspace.directory.inspection import part_of
from svc_tui.workspace.directory.reports import COLUMNS, entries_of, failure_reason, problem_rows, succeeded
from svc_tui.workspace.directory.target import ImportTarget, count_entries
from svc_tui.workspace.directory.upload import FileUpload
from svc_tui.workspace.files.saved_files import saved_file, size_text

Result = Mapping[str, Any]
#: The problems of a file as CSV, and as a table, whose rows show where the value is.
_FILE_COLUMNS = ("line", "row", "status", *COLUMNS[1:-1], "suggestion", "source")
_TABLE_COLUMNS = ("line", "status", "column", "problem", "source")
_MOST_LISTED = 100
#: What a file may remove without a confirmation where no terminal can ask: fewer entries, or at most half of them.
_MANY_ENTRIES = 10


def _sent(sending: FileUpload) -> Amount:
    """How much of a file was sent."""
    if 0 < sending.size <= sending.sent:
        return 0, 0, _("Uploaded. Waiting for the service…"), ""
    text = _("{sent} of {size} uploaded").format(sent=size_text(sending.sent), size=size_text(sending.size))
    return sending.sent / 1000, sending.size / 1000, text, "kB"


def _imported(importing: ImportRun, rows: int) -> Amount:
    """How many of the rows were imported."""
    if importing.phase == "sending":
        return _sent(importing.upload)
    text = f"{importing.error_message or importing.status.get('state')}   {import_summary(importing.status)}"
    # What is removed before the rows of a file take its place is none of them.
    removed = () if importing.target.purpose == "synchronize" else ("deleted",)
    return entries_counted(importing.status, removed), rows, text, _("rows")


def check_locally(source: DirectoryFile) -> dict[str, Any]:
    """Check every row on this machine; a result like that of the service (2.19). InvalidFile."""
    return {**check_result(checked(source)), "encoding": source.csv_format.encoding}


@contextmanager
def converted(doctor: Doctor) -> Iterator[tuple[Path, ConvertedRows]]:
    """The right rows of a file in the format of the service, in a file that exists during the block. OSError."""
    with tempfile.TemporaryDirectory(prefix="svc-tui-") as folder:
        path = Path(folder) / "converted.csv"
        with path.open("wb") as out:
            rows = convert(doctor, out)
        yield path, rows


def write_converted(
    source: DirectoryFile, output_path: Path | None, *, accept_doubtful: bool = False
) -> dict[str, Any]:
    """Write the right rows in the format of the service to a file, or to standard output; the result of the check.

    With `accept_doubtful`, doubtful rows with their suggestions are right too.
    """
    doctor = checked(source)
    if accept_doubtful:
        doctor.accept_doubtful()
    if output_path is None:
        convert(doctor, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    else:
        with saved_file(output_path) as out:
            convert(doctor, out)
    return {**check_result(doctor), "encoding": source.csv_format.encoding}


async def check_remotely(source: DirectoryFile, profile: str) -> dict[str, Any]:
    """Let the service check the file; its result. ServiceError, OSError."""
    async with connected(profile) as client:
        source = replace(source, target=await _with_company(client, source.target))
        doctor, target = await asyncio.to_thread(checked, source), source.target
        with converted(doctor) as (path, rows):
            result: Result = {"okCount": 0, "errorCount": 0}
            if rows.numbers:
                service, check = ClientService(client), target.operations.check
                sending = FileUpload(service, check, path, CONVERTED, query=target.check_query)
                async with counting(lambda: _sent(sending)):
                    result = (await sending.run()).get("data") or {}
            return {**whole_check(result, rows, doctor), "encoding": source.csv_format.encoding}


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The report of an import, and the number of entries before and after it, where known."""

    report: Result
    before: int | None
    after: int | None = None


async def import_remotely(
    source: DirectoryFile,
    label: str,
    profile: str,
    *,
    read_only: bool,
    confirmed: bool = False,
    accept_doubtful: bool = False,
) -> ImportResult:
    """Import the right rows of a file, and with `accept_doubtful` the doubtful ones with their suggestions.

    Nothing is sent when no row is right. Unless `confirmed`, replacing entries, and a file of which more than half of
    the rows would be left over, require a confirmation on the terminal: CommandExit when it is refused. Without a
    terminal such a file, one with a part of a directory, and one that removes most of its entries, is an InvalidFile.
    ServiceError, OSError.
    """
    async with connected(profile, read_only=read_only) as client:
        target, service = await _with_company(client, source.target), ClientService(client)
        source = replace(source, target=target)
        doctor = await asyncio.to_thread(checked, source)
        if accept_doubtful:
            doctor.accept_doubtful()
        before = await count_entries(service, target)
        if not doctor.right:
            return ImportResult({**unsent_report(doctor), "encoding": source.csv_format.encoding}, before)
        if not confirmed and not read_only:
            _confirm_left(doctor)
            if target.purpose != "synchronize" and before != 0:
                _confirm(source, before, doctor.right)
        with converted(doctor) as (path, rows):
            importing = ImportRun(service, target, path, CONVERTED, label=label)
            report = whole_report(await _followed(importing, len(rows.numbers)), rows, doctor)
        after = await count_entries(service, target)
        return ImportResult({**report, "encoding": source.csv_format.encoding}, before, after)


async def _followed(importing: ImportRun, rows: int) -> Mapping[str, Any]:
    """The report of an import, with its progress on the terminal. ServiceError, OSError."""
    try:
        async with counting(lambda: _imported(importing, rows)):
            return await importing.run()
    except ReadError as error:
        raise (error.__cause__ if isinstance(error.__cause__, Exception) else error) from None
    except asyncio.CancelledError:
        print_message(importing.notice_on_leaving)
        raise


def _confirm_left(doctor: Doctor) -> None:
    """Ask for a confirmation before more than half of the rows are left over, as in `import_remotely`."""
    if doctor.left * 2 <= doctor.total:
        return
    left = _("{left} of {rows} would be left over: {doubtful} doubtful, {wrong} with errors.").format(
        left=number_text(doctor.left),
        rows=counted(doctor.total, "row"),
        doubtful=number_text(doctor.doubtful),
        wrong=number_text(doctor.left - doctor.doubtful),
    )
    if not prompts.interactive():
        raise InvalidFile(_("{left} Nothing was sent. Use --yes to import the others.").format(left=left))
    if not _agreed(_("{left} Import the others? [y/N] ").format(left=left)):
        print_message(_("Nothing was imported."))
        raise CommandExit(Exit.REFUSED)


def _confirm(source: DirectoryFile, entries: int | None, rows: int) -> None:
    """Ask for a confirmation before these rows replace the directory.

    CommandExit and InvalidFile as in `import_remotely`.
    """
    part = part_of(source.file, source.csv_format)
    if not prompts.interactive():
        if part:
            raise InvalidFile(
                _(
                    "The file contains only a part of a directory ({part}), so the other entries would "
                    "be lost. Use --yes to import it."
                ).format(part=part)
            )
        removed = (entries or 0) - rows
        if removed >= _MANY_ENTRIES and removed * 2 > (entries or 0):
            raise InvalidFile(
                _("The file replaces {entries} by {rows}. Nothing was sent. Use --yes to import it.").format(
                    entries=counted(entries or 0, "entry", "entries"), rows=number_text(rows)
                )
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
    """Whether the replacement of these entries is confirmed."""
    count = _("unknown number of entries") if entries is None else counted(entries, "entry", "entries")
    return _agreed(_("This replaces the whole directory ({count}). Continue? [y/N] ").format(count=count))


def _agreed(question: str) -> bool:
    """The answer to a question on the terminal; the end of the input means no."""
    # Ctrl+C ends the prompt immediately; otherwise it would wait for the end of the line.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.stderr.write(question)
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    finally:
        signal.signal(signal.SIGINT, previous)


async def _with_company(client: Client, target: ImportTarget) -> ImportTarget:
    """The target with its company, by default the caller's own one, and the country of that company."""
    own = (await client.users.get_own()).company_id
    company_id = target.company_id or own
    read = client.companies.get_as_user if company_id == own else client.companies.get
    try:
        country = (await read(company_id, format="medium")).country or ""
    except ServiceError:
        country = ""
    return replace(target, company_id=company_id if target.purpose == "replace" else target.company_id, country=country)


def report_check(result: Result, format: output.Format) -> int:
    """Write the result of a check; the exit code."""
    correct, doubtful, wrong = _counts(result)
    _write(result, format, doubtful + wrong)
    print_message(
        _("{rows} correct, {left}.").format(rows=counted(correct, "row"), left=_left_over(doubtful, wrong))
        + _read_as(result),
        succeeded=not doubtful + wrong,
    )
    return Exit.REFUSED if doubtful + wrong else Exit.DONE


def _counts(result: Result) -> tuple[int, int, int]:
    """The numbers of right, doubtful and faulty rows in the result of a check."""
    correct, doubtful, wrong = (int(result.get(name) or 0) for name in ("okCount", "doubtfulCount", "errorCount"))
    return correct, doubtful, wrong


def _left_over(doubtful: int, wrong: int) -> str:
    errors = _("{wrong} with errors").format(wrong=number_text(wrong))
    return (
        _("{doubtful} doubtful, {errors}").format(doubtful=number_text(doubtful), errors=errors) if doubtful else errors
    )


def report_conversion(result: Result) -> int:
    """Write the rows with errors of a conversion to standard error; the exit code."""
    correct, doubtful, wrong = _counts(result)
    for row in problem_rows(entries_of(result)):
        print_message(_("line {line}: {column} {problem}").format(**{**row, "column": row["column"] or ""}))
    left = _left_over(doubtful, wrong)
    print_message(
        _("{rows} written, {left} left out.").format(rows=counted(correct, "row"), left=left) + _read_as(result)
    )
    return Exit.REFUSED if doubtful + wrong else Exit.DONE


def report_import(result: ImportResult, format: output.Format) -> int:
    """Write the report of an import, and how many entries the directory had and has; the exit code."""
    report = result.report
    _write(report, format, int(report.get("failed") or 0) + int(report.get("doubtful") or 0))
    had, has = (
        None if count is None else counted(count, "entry", "entries") for count in (result.before, result.after)
    )
    entries = "" if had is None else _(" The directory had {had} before.").format(had=had)
    if had is not None and has is not None:
        entries = _(" The directory had {had} and has {has}.").format(had=had, has=has)
    if reason := failure_reason(report):
        print_message(_("Nothing was imported: {reason}").format(reason=reason) + f".{entries}", succeeded=False)
    else:
        summary = f"{report.get('state')}: {import_summary(report)}.{entries}{_read_as(report)}"
        print_message(summary, succeeded=succeeded(report))
    if report.get("doubtful"):
        print_message(_("--accept-doubtful imports doubtful rows with their suggestions."))
    return Exit.DONE if succeeded(report) else Exit.REFUSED


def _read_as(result: Result) -> str:
    """The encoding in which the file was read, where it is not UTF-8."""
    encoding = str(result.get("encoding") or UTF8)
    return "" if encoding.startswith(UTF8) else _(" Read as {encoding}.").format(encoding=name_of(encoding))


def _write(result: Result, format: output.Format, count: int) -> None:
    """Write a result, in which this many rows are not right; a table has the first ones."""
    if format == "json":
        output.write_json(result)
        return
    rows = [row for row in problem_rows(entries_of(result)) if row["row"]]
    if format == "csv":
        output.Csv(_FILE_COLUMNS).write(rows)
        return
    listed = rows[:_MOST_LISTED]
    if listed:
        output.write_table([{**row, "source": row["marked"]} for row in listed], _TABLE_COLUMNS)
    if more := count - len({row["row"] for row in listed}):
        print_message(_("and {more} more").format(more=number_text(more)))
