"""What the commands on directory files do: look at a file, check or send it with its progress, tell what came of it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.commands import output
from svc_tui.commands.exits import CommandError, Exit, Told, WrongUsage, say
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import Shape, shape_of
from svc_tui.workspace.directory.entry_count import standing
from svc_tui.workspace.directory.import_run import Importing, in_words
from svc_tui.workspace.directory.inspection import part_of, readable, told
from svc_tui.workspace.directory.reports import COLUMNS, ended_well, entries_of, problems, why_nothing
from svc_tui.workspace.directory.target import Purpose, Target
from svc_tui.workspace.directory.upload import Sending
from svc_tui.workspace.files.uploads import Unfit, size_name
from svc_tui.workspace.lists.source import NotRead

if TYPE_CHECKING:
    from svc_tui.client.client import Client
    from svc_tui.workspace.directory.doctor import Progress

Found = Mapping[str, Any]
#: Seconds between two times of telling how far it is.
_LOOK = 0.5


class WrongFile(CommandError):
    """The file cannot be read as one of a directory."""

    code = Exit.REFUSED


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file, how it is written, and the directory that it is meant for; an empty company is one's own."""

    file: Path
    shape: Shape
    target: Target


def wanted(file: Path, company: str, personal: bool, command: str, delimiter: str, comment: str) -> Wanted:
    """What a command line asks for. WrongUsage for what cannot be meant, WrongFile for a file that is none."""
    if sum(map(bool, (company, personal, command))) > 1:
        raise WrongUsage("Of --company, --personal and --command only one can be meant.")
    try:
        file = readable(file)
    except Unfit as unfit:
        raise WrongUsage(str(unfit)) from None
    try:
        with file.open("rb") as opened:
            shape = shape_of(opened, delimiter or None, comment)
    except BadFile as bad:
        raise WrongFile(bad.sentence) from None
    purpose: Purpose = "personal" if personal else "synchronize" if command else "replace"
    return Wanted(file, shape, Target(purpose, company, command_id=command))


def format_of(asked: output.Format | None) -> output.Format:
    """How the result is written."""
    return asked or ("table" if output.is_terminal() else "json")


# --- how far it is ---------------------------------------------------------------------------------------------


class Teller:
    """One line on standard error that says how far it is, while a person looks at it."""

    def __init__(self) -> None:
        self._shown, self._next = 0, 0.0
        self.seen = sys.stderr.isatty()

    def tell(self, words: Callable[[], str]) -> None:
        """Say it, unless it was said a moment ago."""
        now = time.monotonic()
        if self.seen and now >= self._next:
            self._next = now + _LOOK
            text = words()[:78]
            sys.stderr.write("\r" + text.ljust(self._shown))
            sys.stderr.flush()
            self._shown = len(text)

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

    @contextlib.asynccontextmanager
    async def watching(self, words: Callable[[], str]) -> AsyncIterator[None]:
        """Say it again and again."""

        async def watch() -> None:
            while True:
                self.tell(words)
                await asyncio.sleep(_LOOK)

        task = asyncio.create_task(watch()) if self.seen else None
        try:
            yield
        finally:
            if task is not None:
                task.cancel()
            self.end()


def _scanned(progress: Progress, began: float) -> str:
    spent, done = time.monotonic() - began, progress.read / progress.size if progress.size else 0
    said = f"{counted(progress.rows, 'row', 'rows')}, {progress.faulty:,} of them wrong"
    if spent <= 0 or not done:
        return said
    return f"{said}   {progress.rows / spent:,.0f} rows a second   {spent / done - spent:.0f} s to go"


def _sent(sending: Sending) -> str:
    if 0 < sending.size <= sending.sent:
        return "sent, the service works on it…"
    left = sending.time_left
    said = f"{size_name(sending.sent)} of {size_name(sending.size)} sent"
    return said if left is None else f"{said}   {left:.0f} s to go"


def _going(importing: Importing) -> str:
    if importing.phase == "sending":
        return _sent(importing.sending)
    return f"{importing.trouble or importing.status.get('state')}   {in_words(importing.status)}"


# --- what is done ----------------------------------------------------------------------------------------------


def checked_here(asked: Wanted, country: str) -> dict[str, Any]:
    """Check every row on this machine; the result as the service would give it (2.19). WrongFile."""
    from svc_tui.workspace.directory.doctor import scan

    teller, began, shape = Teller(), time.monotonic(), asked.shape

    def going(progress: Progress) -> bool:
        teller.tell(lambda: _scanned(progress, began))
        return True

    try:
        doctor = scan(
            asked.file,
            delimiter=shape.delimiter,
            comment=shape.comment,
            synchronizing=asked.target.purpose == "synchronize",
            country=country,
            told=going,
        )
    except BadFile as bad:
        raise WrongFile(told(asked.file, shape.encoding, bad)) from None
    finally:
        teller.end()
    if not doctor.total:
        raise WrongFile("the file has no rows behind its first line")
    report = {
        f"entry{row.number}": {"csvSource": row.row.source, "errors": [fault.wire() for fault in row.faults]}
        for row in doctor.rows
    }
    return {"okCount": doctor.total - doctor.left, "errorCount": doctor.left, "errorReport": report}


async def checked_there(asked: Wanted, profile: str) -> dict[str, Any]:
    """Have the service check the file; its result. ServiceError, OSError."""
    from svc_tui.commands.connection import connected

    async with connected(profile) as client:
        target = await _meant(client, asked.target)
        sending = Sending(Service(client), target.operations.check, asked.file, asked.shape, query=target.check_query)
        async with Teller().watching(lambda: _sent(sending)):
            answer = await sending.run()
    return dict(answer.get("data") or {})


async def imported(
    asked: Wanted, label: str, profile: str, *, read_only: bool, agreed: bool = False
) -> tuple[dict[str, Any], int | None]:
    """Import the file and follow that to its end; the report, and how many entries were replaced, where known.

    Unless it is `agreed` a person who sits there agrees before entries are replaced, else Told; where nobody sits a
    file that holds a part of a directory is a WrongFile. ServiceError, OSError.
    """
    from svc_tui.commands.connection import connected

    async with connected(profile, read_only=read_only) as client:
        target, service = await _meant(client, asked.target), Service(client)
        before = await standing(service, target)
        if not agreed and not read_only and target.purpose != "synchronize" and before != 0:
            _agree(asked, before)
        importing = Importing(service, target, asked.file, asked.shape, label=label)
        try:
            async with Teller().watching(lambda: _going(importing)):
                return dict(await importing.run()), before
        except NotRead as error:
            raise (error.__cause__ if isinstance(error.__cause__, Exception) else error) from None
        except asyncio.CancelledError:
            say(importing.left)
            raise


def can_ask() -> bool:
    """Whether a person sits there who can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def _agree(asked: Wanted, entries: int | None) -> None:
    """Have it agreed that the directory is replaced, as `imported` says."""
    part = part_of(asked.file, asked.shape)
    if not can_ask():
        if part:
            raise WrongFile(f"it holds a part of a directory only ({part}): what is not in it would be lost; see --yes")
        return
    if part:
        say(f"The file holds a part of a directory only ({part}): what is not in it is lost.")
    if not _agreed(entries):
        say("Nothing was imported.")
        raise Told(Exit.REFUSED)


def _agreed(entries: int | None) -> bool:
    """Have a person agree that the directory is replaced; the end of the input is no."""
    there = "how many entries it has is not known" if entries is None else counted(entries, "entry", "entries")
    # Ctrl+C ends the question at once, from the moment it is seen; otherwise it would wait for the end of the line.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.stderr.write(f"Replaces the whole directory ({there}). Continue? [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    finally:
        signal.signal(signal.SIGINT, before)


def counted(number: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else several}"


async def _meant(client: Client, target: Target) -> Target:
    """The target with the caller's own company where none was named."""
    if target.purpose != "replace" or target.company_id:
        return target
    from svc_tui.interface.authentication import get_own_user

    answer = await client.send(get_own_user)
    return replace(target, company_id=str(answer.body["data"].get("companyId") or ""))


class Service:
    """The client as an import needs it: operations by name."""

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
        """The body of an answer. ServiceError."""
        from svc_tui.interface.catalogue import operation

        answer = await self._client.send(operation(operation_id), path=path or {}, query=query or {}, body=body)
        return dict(answer.body)

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of an answer. NotRead, whose cause is what the client raised."""
        from svc_tui.client.errors import ServiceError, Unreachable

        try:
            return await self.perform(operation_id, path=path, query=query)
        except ServiceError as error:
            raise NotRead(error.sentence, offline=isinstance(error, Unreachable)) from error


# --- what is told ----------------------------------------------------------------------------------------------


def tell_check(result: Found, form: output.Format) -> int:
    """Write the result of a check; the exit code."""
    right, wrong = int(result.get("okCount") or 0), int(result.get("errorCount") or 0)
    _write(result, form)
    say(f"{right:,} {'row is' if right == 1 else 'rows are'} right, {wrong:,} wrong.")
    return Exit.REFUSED if wrong else Exit.DONE


def tell_import(report: Found, form: output.Format, before: int | None = None) -> int:
    """Write the report on an import, and how many entries were there before; the exit code."""
    _write(report, form)
    if why := why_nothing(report):
        say(f"Nothing was imported: {why}")
    else:
        there = "" if before is None else f" There {_stood(before)} before."
        say(f"{report.get('state')}: {in_words(report)}.{there}")
    return Exit.DONE if ended_well(report) else Exit.REFUSED


def _stood(entries: int) -> str:
    return f"{'was' if entries == 1 else 'were'} {counted(entries, 'entry', 'entries')}"


def _write(whole: Found, form: output.Format) -> None:
    if form == "json":
        output.json_document(whole)
        return
    rows = problems(entries_of(whole))
    if form == "csv":
        output.Csv(COLUMNS).write(rows)
    elif rows:
        output.table(rows, COLUMNS)
