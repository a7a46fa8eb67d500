"""Files of users: checks and imports with progress, and their results."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.commands import output, prompts
from svc_tui.commands.connection import ClientService, UserService, connected
from svc_tui.commands.event_loop import Amount, counting
from svc_tui.commands.exits import CommandError, CommandExit, Exit, UsageError, print_message
from svc_tui.interface.companies.countries import country_of
from svc_tui.interface.directory.csv.encodings import UnknownEncoding, chosen_encoding
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.changes.bulk import Job, StepResult
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome
from svc_tui.workspace.core.folders import expanded, folders
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.users.file import KnownUsers, UserFile, UserRow, read_users, summary
from svc_tui.workspace.users.importing import (
    EFFECTS,
    ImportRecord,
    PasswordFileError,
    known_users,
    made_passwords,
    passwords_left,
    read_passwords,
    steps_of,
    without_password,
    write_passwords,
)

if TYPE_CHECKING:
    from svc_tui.client.resources import User

_FAULT_COLUMNS = ("line", "login", "status", "column", "problem", "value", "suggestion")
_RESULT_COLUMNS = ("line", "login", "action", "outcome", "reason")
_MOST_LISTED = 100


class InvalidFile(CommandError):
    """The file cannot be read as a file of users, or its rows are not sent."""

    code = Exit.REFUSED


@dataclass(frozen=True, slots=True)
class Reading:
    """The file of a command line and how it is read, where that is not to be detected."""

    file: Path
    company: str = ""
    delimiter: str = ""
    comment: str = "%"
    encoding: str = ""
    country: str = ""
    accept_doubtful: bool = False


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The rows of a file, the outcomes of those that were sent, and the reason why the import stopped, if it did."""

    file: UserFile
    results: Sequence[StepResult]
    error_message: str = ""
    dry_run: bool = False
    passwords: Path | None = None


class _JobService(UserService):
    """The client as a job uses it."""

    @property
    def user_id(self) -> str:
        return self.caller.user_id

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: Any = None,
        undo: UndoEntry | None = None,
    ) -> dict[str, Any]:
        return await super().perform(operation_id, path=path, query=query, body=body)

    def remember(self, undo: UndoEntry) -> None:
        """A command has no undo."""

    async def verify(self, operation_id: str, path: Mapping[str, str]) -> VerifiedOutcome | None:
        return None


def read_locally(reading: Reading) -> UserFile:
    """Check the rows by themselves. UsageError, InvalidFile."""
    content = _content(reading)
    return _read(reading, content, KnownUsers(country=_country(reading)))


async def check(reading: Reading, profile: str) -> UserFile:
    """Compare the rows with the users of the company. UsageError, InvalidFile, ServiceError."""
    content = _content(reading)
    async with connected(profile) as client:
        own = await client.users.get_own()
        file, _record = await _compared(reading, content, ClientService(client), own)
        return file


async def import_users(
    reading: Reading,
    profile: str,
    *,
    passwords: Path | None,
    dry_run: bool,
    confirmed: bool,
    read_only: bool,
) -> ImportResult:
    """Send the right rows. UsageError, InvalidFile, ServiceError; CommandExit when it is not confirmed."""
    content = _content(reading)
    path = expanded(passwords) if passwords else None
    try:
        before = read_passwords(path) if path else {}
    except PasswordFileError as error:
        raise UsageError(str(error)) from None
    async with connected(profile, read_only=read_only) as client:
        own = await client.users.get_own()
        service = _JobService(client, own)
        file, record = await _compared(reading, content, service, own)
        if record.continues and not dry_run:
            rows = counted(record.continues, "row")
            print_message(_("Continues an interrupted import: {rows} done.").format(rows=rows))
        if not dry_run:
            _confirm(file, confirmed=confirmed)
        fresh = without_password(file)
        made = made_passwords(fresh, before) if path else {}
        if path and made and not dry_run:
            # Before anything is sent: a killed program must not leave users with lost passwords.
            write_passwords(path, {**before, **made})
        elif fresh and not path:
            print_message(
                _("{users} without a password cannot log in before one is set. --passwords FILE makes them.").format(
                    users=counted(len(fresh), "new user")
                )
            )
        company = reading.company or own.company_id
        steps, reasons = steps_of(file, company, made)
        job = Job(service, "update_user", steps, recorder=record)
        job.dry_run()
        for result in job.results:
            if reason := reasons.get(result.step.record_id):
                result.outcome, result.sentence = "refused", reason
        if dry_run or not job.left:
            return ImportResult(file, job.results, dry_run=dry_run)
        try:
            error_message = await run_job(job)
        finally:
            if path and made:
                write_passwords(path, passwords_left(job.results, made, before))
        if not job.failed and not job.unknown and not job.left:
            record.close()
        return ImportResult(file, job.results, error_message, passwords=path if made else None)


async def run_job(job: Job) -> str:
    """Run a job to its end, or until it pauses: why it paused, empty at the end."""
    paused = asyncio.Event()
    job.subscribe(lambda: paused.set() if job.state == "paused" else None)
    running = asyncio.create_task(job.rest())
    waiting = asyncio.create_task(paused.wait())
    try:
        async with counting(lambda: _amount(job)):
            await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        message = job.error_message if job.state == "paused" else ""
        if not running.done():
            job.stop()
        await running
        return message or job.error_message
    finally:
        waiting.cancel()
        running.cancel()


def _amount(job: Job) -> Amount:
    """How much of a job is done."""
    text = _("{done} done, {failed} failed, {left} left").format(done=job.done, failed=job.failed, left=job.left)
    return job.done + job.failed, job.done + job.failed + job.left, text, _("records")


async def _compared(
    reading: Reading, content: bytes, service: ClientService, own: User
) -> tuple[UserFile, ImportRecord]:
    company = reading.company or own.company_id
    record = ImportRecord(folders().data / "imports", content, company, own.id, service)
    try:
        known = await known_users(service, company, own.login_email, record)
    except ReadError as error:
        raise (error.__cause__ if isinstance(error.__cause__, Exception) else error) from None
    if country := _country(reading):
        known = KnownUsers(known.users, country, known.own_login, known.earlier)
    return _read(reading, content, known), record


def _content(reading: Reading) -> bytes:
    path = expanded(reading.file)
    try:
        if path.is_dir():
            raise UsageError(_("{path} is {kind}.").format(path=path, kind=_("a folder")))
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(_("Cannot read {path}: {reason}.").format(path=path, reason=reason)) from None


def _country(reading: Reading) -> str:
    if reading.country and not country_of(reading.country):
        raise UsageError(
            _("{text} is not a country: use a code of three letters, such as PRT.").format(text=reading.country)
        )
    return country_of(reading.country)


def _read(reading: Reading, content: bytes, known: KnownUsers) -> UserFile:
    try:
        encoding = chosen_encoding(reading.encoding) if reading.encoding else ""
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    try:
        found = read_users(
            io.BytesIO(content), known, delimiter=reading.delimiter, comment=reading.comment, encoding=encoding
        )
    except UnknownEncoding as unknown:
        first = _("{unknown}. Name it with --encoding:").format(unknown=unknown)
        raise InvalidFile("\n".join([first, *(f"  {name:<14}  {text}" for name, text in unknown.readings)])) from None
    except BadFile as bad:
        raise InvalidFile(f"{bad}.") from None
    for text in found.notes():
        print_message(text)
    if reading.accept_doubtful:
        found.accept_suggestions([row for row in found.rows if row.doubtful], doubtful_only=True)
    return found


def _confirm(file: UserFile, *, confirmed: bool) -> None:
    """Ask before users are deleted, and before most rows are left over. InvalidFile without a terminal."""
    asks = []
    if deleted := file.count("delete"):
        asks.append(_("This deletes {users}.").format(users=counted(deleted, "user")))
    if len(file.left) * 2 > len(file.rows):
        asks.append(
            _("{left} of {rows} would be left over.").format(
                left=number_text(len(file.left)), rows=counted(len(file.rows), "row")
            )
        )
    if not asks or confirmed or not file.right:
        return
    text = " ".join(asks)
    if not prompts.interactive():
        raise InvalidFile(_("{text} Nothing was sent. Use --yes to continue.").format(text=text))
    if prompts.prompt_line(_("{text} Continue? [y/N] ").format(text=text)).casefold() not in ("y", "yes"):
        print_message(_("Nothing was imported."))
        raise CommandExit(Exit.REFUSED)


# --- results -----------------------------------------------------------------------------------------------------


def report_check(file: UserFile, format: output.Format) -> int:
    """Write what is wrong, and what an import would do; the exit code."""
    rows = [each for row in file.left for each in _faults(row)]
    if format == "json":
        effects = {effect: file.count(effect) for effect in ("create", "update", "delete", "same")}
        doubtful = sum(row.doubtful for row in file.left)
        output.write_json(
            {
                "rows": len(file.rows),
                **effects,
                "doubtful": doubtful,
                "wrong": len(file.left) - doubtful,
                "faults": rows,
            }
        )
    elif format == "csv":
        output.Csv(_FAULT_COLUMNS).write(rows)
    elif rows:
        output.write_table(rows[:_MOST_LISTED], _FAULT_COLUMNS)
        if (more := len(rows) - _MOST_LISTED) > 0:
            print_message(_("and {more} more").format(more=number_text(more)))
    print_message(f"{summary(file)}.")
    return Exit.REFUSED if file.left else Exit.DONE


def _faults(row: UserRow) -> list[dict[str, Any]]:
    return [
        {
            "line": row.line,
            "login": row.login,
            "status": "doubtful" if row.doubtful else "error",
            "column": fault.column,
            "problem": fault.msg,
            "value": fault.value,
            "suggestion": fault.suggestion,
        }
        for fault in row.faults
    ]


def report_import(found: ImportResult, format: output.Format) -> int:
    """Write the outcome of each row; the exit code."""
    rows = [_result(row, result) for row, result in zip(found.file.rows, found.results, strict=True)]
    if format == "json":
        output.write_json(rows)
    elif format == "csv":
        output.Csv(_RESULT_COLUMNS).write(rows)
    else:
        shown = rows if found.dry_run else [row for row in rows if row["outcome"] not in ("done", "unchanged")]
        if shown:
            output.write_table(shown[:_MOST_LISTED], _RESULT_COLUMNS)
    if found.dry_run:
        print_message(f"{summary(found.file)}. {_('Nothing was sent.')}")
        return Exit.REFUSED if found.file.left else Exit.DONE
    counts = {name: sum(row["outcome"] == name for row in rows) for name in _OUTCOMES.values()}
    parts = [
        _("{done} done").format(done=number_text(counts["done"])),
        *([_("{same} unchanged").format(same=number_text(counts["unchanged"]))] if counts["unchanged"] else ()),
        *([_("{failed} failed").format(failed=number_text(counts["failed"]))] if counts["failed"] else ()),
        *([_("{unknown} unknown").format(unknown=number_text(counts["unknown"]))] if counts["unknown"] else ()),
        *([_("{left} not started").format(left=number_text(counts["waiting"]))] if counts["waiting"] else ()),
        *([_("{count} skipped").format(count=number_text(counts["skipped"]))] if counts["skipped"] else ()),
    ]
    print_message(f"{', '.join(parts)}.")
    if found.passwords is not None:
        print_message(_("Passwords: {path}. Only you can read it.").format(path=found.passwords))
    if found.error_message:
        print_message(_("{reason} Run the same command again to continue.").format(reason=found.error_message))
        return Exit.UNREACHABLE
    left = counts["failed"] + counts["unknown"] + counts["skipped"] + counts["waiting"]
    return Exit.REFUSED if left else Exit.DONE


#: Outcome of a step -> the word for it.
_OUTCOMES = {
    "done": "done",
    "same": "unchanged",
    "failed": "failed",
    "unknown": "unknown",
    "refused": "skipped",
    "waiting": "waiting",
}


def _result(row: UserRow, result: StepResult) -> dict[str, Any]:
    same = result.outcome == "refused" and row.effect == "same" and not row.faults
    return {
        "line": row.line,
        "login": row.login,
        "action": "" if row.faults or row.effect == "same" else EFFECTS[row.effect],
        "outcome": _OUTCOMES["same" if same else result.outcome],
        "reason": result.sentence,
    }
