"""Going anywhere, asking for help, leaving."""

from __future__ import annotations

from svc_tui.console.actions import READING, Action, Context
from svc_tui.console.dialogs.picker import Choice, Picker
from svc_tui.console.terminal.text import fit

ALL = READING | {"form"}


def _goto(context: Context) -> None:
    console = context.frame.console
    context.frame.open_prompt(":", complete=console.completions, history=context.workspace.preferences.history)


async def _palette(context: Context) -> None:
    frame = context.frame
    choices = []
    for action in frame.registry.here(context):
        keys = " ".join(frame.registry.keys.keys(action.name))
        label = f"{fit(action.label, 18)}{fit(keys, 11)}"
        choices.append(Choice(action.name, label, action.help, action.why_not(context)))
    choices.sort(key=lambda choice: bool(choice.reason))
    chosen = await frame.console.ask(Picker("Actions", choices))
    if chosen is not None:
        frame.do(chosen)


async def _help(context: Context) -> None:
    from svc_tui.console.views.help import HelpView

    await context.frame.show(HelpView(context))


async def _calls(context: Context) -> None:
    from svc_tui.console.views.calls import CallsView

    await context.frame.show(CallsView(context.workspace.log))


def _redraw(context: Context) -> None:
    from svc_tui.console.terminal.driver import repaint

    repaint(context.frame.app)


async def _quit(context: Context) -> None:
    await context.frame.console.leave()


def _section(number: int) -> Action:
    async def go(context: Context) -> None:
        console = context.frame.console
        await console.open(console.sections[number].place(), replace=True)

    return Action(
        f"section_{number}",
        (str(number),),
        f"Section {number}",
        f"Go to section {number}",
        go,
        "Go",
        possible=lambda c: "" if number in c.frame.console.sections else "there is no such section yet",
    )


ACTIONS = (
    Action("goto", (":",), "Go", "Go anywhere: a kind of record, and what to look for", _goto, "Go", footer=90),
    Action("palette", ("ctrl+p",), "Actions", "Every action possible here, by name", _palette, "Go", ALL),
    Action("calls", ("!",), "HTTP log", "The calls of this session, secrets masked", _calls, "Go"),
    *(_section(number) for number in range(1, 10)),
    Action("redraw", ("ctrl+l",), "Redraw", "Draw the whole screen again", _redraw, "Go", ALL),
    Action("quit", ("q",), "Leave", "Leave the console", _quit, "Go"),
    Action(
        "help",
        ("?", "f1"),
        "Help",
        "Keys of this view, what each does, and why it is greyed",
        _help,
        "Go",
        ALL,
        footer=99,
    ),
)
