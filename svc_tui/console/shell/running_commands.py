"""Running a command of the user: confirmation, its program with bounded time and output, and its result."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult

from svc_tui.console.core.places import InvalidLink, Link, Place
from svc_tui.console.core.record_source import specs_of
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import Dialog
from svc_tui.console.dialogs.messages import Notice, Question, TypedQuestion
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet import Line, Sheet, safe
from svc_tui.interface.counts import counted
from svc_tui.workspace.profiles.user_commands import ArgumentError, UserCommand, arguments, filled, variables

#: The most output that is kept, in bytes.
MOST_OUTPUT = 1_000_000
#: The most lines of a dialog.
_MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class Result:
    """The output of a program, and why it failed; empty when it did not."""

    output: str
    failure: str = ""


async def run(command: UserCommand, context: Context) -> None:
    """Run a command for the selected record. Whatever goes wrong is a message in the status line."""
    stage, record = context.stage, context.record or {}
    secrets = _secrets(context)
    try:
        target = filled(command.open, record, secrets)
        words = arguments(command.command, record, secrets)
        question = filled(command.confirm, record)
        link = Link.parse(target) if target else None
    except (ArgumentError, InvalidLink) as error:
        stage.say(str(error), "warn")
        return
    dialog = _question(command, context, question)
    if dialog is not None and not await stage.ask(dialog):
        return
    if link is not None:
        await stage.open_link(link, replace=len(link.place.parts) == 1)
        return
    if command.output == "message":
        stage.stop_waiting()
    stage.say(f"{command.label}: in progress…")
    environment = {
        **os.environ,
        "SVC_TUI_PROFILE": context.workspace.profile.name,
        **(variables(record, secrets) if command.script else {}),
    }
    shell = [os.environ.get("SHELL") or "/bin/sh", "-c", command.script]
    result = await execute(shell if command.script else words, environment, command.timeout)
    await _show(command, context, result)


def _question(command: UserCommand, context: Context, question: str) -> Dialog[bool] | None:
    """The dialog that confirms a command; None when it needs none."""
    if command.dangerous:
        name = context.require_resource().label(context.require_record())
        return TypedQuestion(command.label, question or f"{command.summary}.", name)
    return Question(command.label, question, yes="Run", no="Cancel") if question else None


async def _show(command: UserCommand, context: Context, result: Result) -> None:
    stage = context.stage
    if result.failure:
        stage.say(f"{command.label}: {result.failure}", "bad")
        if command.output == "message" or not result.output:
            return
    else:
        stage.say(f"{command.label}: done.", "ok")
    if command.output == "dialog":
        lines = result.output.splitlines() or ["No output."]
        rest = len(lines) - _MOST_LINES
        more = [f"… and {counted(rest, 'more line', 'more lines')}"] if rest > 0 else []
        await stage.ask(Notice(command.label, "\n".join([*lines[:_MOST_LINES], *more])))
    elif command.output == "view":
        await stage.show(OutputView(command.label, result.output))


def _secrets(context: Context) -> frozenset[str]:
    if context.resource is None:
        return frozenset()
    return frozenset(spec.wire for spec in specs_of(context.resource) if spec.facet.secret)


async def execute(words: Sequence[str], environment: Mapping[str, str], seconds: float) -> Result:
    """Run a program without input, with both outputs together. It ends with the task, and after the time."""
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=dict(environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = "not found" if isinstance(error, FileNotFoundError) else getattr(error, "strerror", None) or error
        return Result("", f"cannot run {words[0]}: {reason}.")
    try:
        output, complete = await asyncio.wait_for(_output(process), seconds)
        code = await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        return Result("", f"stopped after {counted(round(seconds), 'second')} without an end.")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    text = output.decode("utf-8", "replace")
    if not complete:
        return Result(text, f"stopped after {MOST_OUTPUT:,} bytes of output.")
    last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return Result(text, f"exit code {code}. {last}".rstrip() if code else "")


async def _output(process: asyncio.subprocess.Process) -> tuple[bytes, bool]:
    """The output, and whether it is complete."""
    assert process.stdout is not None
    found = bytearray()
    while chunk := await process.stdout.read(1 << 16):
        found += chunk
        if len(found) > MOST_OUTPUT:
            return bytes(found[:MOST_OUTPUT]), False
    return bytes(found), True


class OutputView(SheetView):
    """The output of a program."""

    kind = "report"

    def __init__(self, title: str, text: str) -> None:
        super().__init__(Place(("output",)))
        self._title = title
        self._lines = text.splitlines()

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=0)

    def on_mount(self) -> None:
        self.sheet.show([Line("field", "", safe(text), key=str(number)) for number, text in enumerate(self._lines)])

    @property
    def crumb(self) -> str:
        return self._title

    @property
    def record(self) -> Mapping[str, Any] | None:
        return None

    def status(self) -> Sequence[Piece]:
        return [Piece(f" {counted(len(self._lines), 'line')}")]
