"""The user commands as actions: with a key, in the palette and after `:`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from svc_tui.console.core.actions import READING, RECORDS, USER_GROUP, Action
from svc_tui.console.core.resource import Context
from svc_tui.console.shell import running_commands
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.language import _
from svc_tui.workspace.profiles.user_commands import UserCommand


def actions_of(commands: Sequence[UserCommand]) -> list[Action]:
    """One action for each command, or one for each kind of record that it is for."""
    return [_action(command, kind) for command in commands for kind in command.where or ("",)]


def _action(command: UserCommand, kind: str) -> Action:
    async def run(context: Context) -> None:
        await running_commands.run(command, context)

    return Action(
        name=f"commands.{command.name}.{kind}" if len(command.where) > 1 else f"commands.{command.name}",
        keys=(command.key,) if command.key else (),
        label=command.label,
        help=f"{command.label}: {title_in_sentence(command.summary)}",
        run=run,
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
