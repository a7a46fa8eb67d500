"""The commands of the user as actions, with a key, in the palette and after `:`, and running one: confirmation, its
program for one record or for marked ones, and its result.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.app import ComposeResult

from svc_tui.client import masking
from svc_tui.console.core.actions import READING, RECORDS, USER_GROUP, Action
from svc_tui.console.core.places import InvalidLink, Link, Place
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import Dialog
from svc_tui.console.dialogs.messages import Notice, Question, TypedQuestion
from svc_tui.console.editing import bulk
from svc_tui.console.shell import programs
from svc_tui.console.views import list as list_view
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.catalogue import operation
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.profiles.user_commands import (
    ArgumentError,
    UserCommand,
    arguments,
    arguments_of_all,
    filled,
    variables,
)

#: The most lines of a dialog.
_MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of a program, and the name of its record where there are several."""

    words: list[str]
    environment: Mapping[str, str]
    name: str = ""


async def run(command: UserCommand, context: Context) -> None:
    """Run a command for the selected record, or for the marked ones. Whatever goes wrong is a message in the status
    line."""
    stage, secrets = context.stage, _secrets(context)
    marked: tuple[Mapping[str, Any], ...] = ()
    try:
        if command.marked and context.marked:
            marked = await _marked(context)
        if command.open:
            link = Link.parse(filled(command.open, context.record or {}, secrets))
            question = filled(command.confirm, context.record or {})
        else:
            runs = _runs(command, context, marked, secrets)
            several = f"{command.label}: {context.require_resource().counted(len(marked))}?" if len(marked) > 1 else ""
            question = several or filled(command.confirm, (marked or (context.record or {},))[0])
    except (ArgumentError, InvalidLink) as error:
        stage.show_message(str(error), "warn")
        return
    dialog = _question(command, context, question, marked)
    if dialog is not None and not await stage.ask(dialog):
        return
    if command.open:
        await stage.open_link(link, replace=len(link.place.parts) == 1)
        return
    if command.output == "message":
        stage.stop_waiting()
    stage.show_message(_("{label}: in progress…").format(label=command.label))
    results = [(each, await _execute(command, context, each)) for each in runs]
    await _show(command, context, _together(results))


async def _marked(context: Context) -> tuple[Mapping[str, Any], ...]:
    """The marked records, in the order of the marks. ArgumentError when one of them is not known."""
    rows = await bulk.marked_rows(context, context.require_view(list_view.ListView))
    if missing := [record_id for record_id in context.marked if record_id not in rows]:
        unknown = counted(len(missing), "marked record")
        raise ArgumentError(
            _("No longer in the list: {unknown}. Clear the marks and mark the records again.").format(unknown=unknown)
        )
    return tuple(rows[record_id] for record_id in context.marked)


def _runs(
    command: UserCommand, context: Context, marked: Sequence[Mapping[str, Any]], secrets: frozenset[str]
) -> list[_Run]:
    """The runs of a program: one, or one for each marked record."""
    environment = {**os.environ, "SVC_TUI_PROFILE": context.workspace.profile.name}
    if command.marked == "together" and marked:
        return [_Run(arguments_of_all(command.command, marked, secrets), environment)]
    runs = []
    for record in marked or (context.record or {},):
        name = context.require_resource().label(record) if marked else ""
        if command.script:
            shell = [os.environ.get("SHELL") or "/bin/sh", "-c", command.script]
            runs.append(_Run(shell, {**environment, **variables(record, secrets)}, name))
        else:
            runs.append(_Run(arguments(command.command, record, secrets), environment, name))
    return runs


async def _execute(command: UserCommand, context: Context, run: _Run) -> programs.Result:
    if command.output == "terminal":
        return context.stage.with_terminal(lambda: programs.run_on_terminal(run.words, run.environment))
    return await programs.execute(run.words, run.environment, command.timeout)


def _together(results: Sequence[tuple[_Run, programs.Result]]) -> programs.Result:
    """The results of all runs as one, each output below the name of its record."""
    if len(results) == 1:
        return results[0][1]
    failed = [f"{run.name}: {result.failure}" for run, result in results if result.failure]
    output = "\n".join(f"{run.name}:\n{result.output}".rstrip() for run, result in results)
    done = len(results) - len(failed)
    return programs.Result(
        output,
        _("{done} of {results} done. {failed}").format(done=done, results=len(results), failed=failed[0])
        if failed
        else "",
    )


def _question(
    command: UserCommand, context: Context, question: str, marked: Sequence[Mapping[str, Any]]
) -> Dialog[bool] | None:
    """The dialog that confirms a command; None when it needs none."""
    if command.dangerous:
        resource = context.require_resource()
        record = marked[0] if marked else context.require_record()
        name = str(len(marked)) if len(marked) > 1 else resource.label(record)
        return TypedQuestion(command.label, question or f"{command.summary}.", name)
    return Question(command.label, question, yes=_("Run"), no=_("Cancel")) if question else None


async def _show(command: UserCommand, context: Context, result: programs.Result) -> None:
    stage = context.stage
    if command.output == "view" and (result.output or not result.failure):
        # Before the message, which a new view removes.
        await stage.show(OutputView(command.label, result.output))
    if result.failure:
        stage.show_message(f"{command.label}: {result.failure}", "bad")
        if command.output == "message" or not result.output:
            return
    else:
        stage.show_message(_("{label}: done.").format(label=command.label), "ok")
    if command.output == "dialog":
        lines = result.output.splitlines() or [_("No output.")]
        rest = len(lines) - _MOST_LINES
        more = [_("… and {more_lines}").format(more_lines=counted(rest, "more line", "more lines"))] if rest > 0 else []
        await stage.ask(Notice(command.label, "\n".join([*lines[:_MOST_LINES], *more])))


def _secrets(context: Context) -> frozenset[str]:
    if context.resource is None:
        return frozenset()
    kind = context.resource.kind
    return frozenset[str]().union(*(masking.secrets_in(operation(each)) for each in (kind.list, kind.get)))


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


def actions_of(commands: Sequence[UserCommand]) -> list[Action]:
    """One action for each command, or one for each kind of record that it is for."""
    return [_action(command, kind) for command in commands for kind in command.where or ("",)]


def _action(command: UserCommand, kind: str) -> Action:
    async def start(context: Context) -> None:
        await run(command, context)

    return Action(
        name=f"commands.{command.name}.{kind}" if len(command.where) > 1 else f"commands.{command.name}",
        keys=(command.key,) if command.key else (),
        label=command.label,
        help=f"{command.label}: {title_in_sentence(command.summary)}",
        run=start,
        group=USER_GROUP,
        views=RECORDS if command.needs_record else READING,
        resource=kind,
        needs="records" if command.marked else "record" if command.needs_record else "nothing",
        possible=partial(_refusal, command),
        dangerous=command.dangerous,
    )


def _refusal(command: UserCommand, context: Context) -> str:
    workspace = context.workspace
    if command.open or command.read_only or not (workspace.read_only or workspace.lens):
        return ""
    return _("read-only mode")
