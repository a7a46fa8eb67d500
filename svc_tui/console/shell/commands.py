"""The commands of `:` beside places; `:wait FILTER` waits until what is open fits a filter, also while the user works
elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from svc_tui.console.core.actions import USER_GROUP, Action
from svc_tui.console.core.places import FIND, HOME, Link, Place
from svc_tui.console.core.waiting import Awaited, CannotWait
from svc_tui.console.dialogs.messages import Notice
from svc_tui.console.shell import cases, company_plans, demo, groups, leaving, sessions, themes
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.formatting import moment
from svc_tui.console.widgets.menu import MenuLine
from svc_tui.language import _

#: What precedes a filter that has to match nothing any longer.
GONE = "gone"


async def wait(frame: StageScreen, text: str) -> None:
    """Wait for a filter to match in the view on top; without one, show what is waited for."""
    view = frame.view
    text = text.strip()
    if not text:
        lines = [f"{title}: {state}" for title, state in frame.waits.items()] or [
            _("Nothing. `:wait state:active` waits for a filter to match.")
        ]
        await frame.ask(Notice(_("Waiting for"), "\n".join(lines)))
        return
    if view is None or view.resource is None:
        frame.show_message(_("Open a list or a record first: its filter is waited for."), "warn")
        return
    word, __, rest = text.partition(" ")
    absent = word == GONE
    try:
        awaited = Awaited(view.resource, Link(view.place, rest if absent else text), frame.workspace, absent=absent)
    except CannotWait as error:
        frame.show_message(str(error), "warn")
        return
    title = f"{view.crumb} · {text}"
    frame.waits[title] = _("waiting")
    frame.show_message(_("Waiting for {awaited}. You can go on working.").format(awaited=text), "accent")
    in_background(frame, partial(_until_met, frame, awaited, title), group="connection")


async def _until_met(frame: StageScreen, awaited: Awaited, title: str) -> None:
    """Report the end of a wait in the status line, and with the bell of the terminal."""
    try:
        await awaited.wait()
    except CannotWait as error:
        frame.waits[title] = str(error)
        frame.show_message(f"{title}: {error}", "bad", stays=True)
    else:
        frame.waits[title] = _("holds since {time}").format(time=moment(datetime.now(UTC).isoformat()))
        frame.show_message(_("Now {text}").format(text=title), "ok", stays=True)
    finally:
        awaited.close()
    frame.app.bell()


def _none(_: StageScreen) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class PromptCommand:
    """A word that is typed after `:`, with what follows it. `arguments` completes that.

    One that is `of_known` acts only on what `arguments` names, and is offered while there is some.
    """

    name: str
    title: str
    run: Callable[[StageScreen, str], Awaitable[None]]
    aliases: tuple[str, ...] = ()
    arguments: Callable[[StageScreen], Sequence[str]] = _none
    of_known: bool = False


async def _quit(frame: StageScreen, _: str) -> None:
    await frame.leave()


async def _find(frame: StageScreen, text: str) -> None:
    if text:
        await frame.open(Place((FIND, text)))
    else:
        frame.perform_by_name("find")


async def _save(frame: StageScreen, name: str) -> None:
    await groups.save_search(frame, name, taken=command(name) is not None)


async def _home(frame: StageScreen, _: str) -> None:
    await frame.open(Place((HOME,)), replace=True)


COMMANDS = (
    PromptCommand(HOME, _("What needs attention"), _home, ("start",)),
    PromptCommand("find", _("Find a text in all areas"), _find),
    PromptCommand("ctx", _("Switch to another profile"), sessions.switch_profile, ("profile",), sessions.profile_names),
    PromptCommand("login", _("Log in"), sessions.log_in),
    PromptCommand("logout", _("Log out"), sessions.log_out),
    PromptCommand("as", _("View everything as another role"), sessions.view_as_role, (), sessions.role_names),
    PromptCommand("wait", _("Wait until a filter matches here"), wait),
    PromptCommand("case", _("Show the case that is open"), cases.command, (), cases.words, of_known=True),
    PromptCommand("report", _("Open a report across companies"), groups.report, ("reports",), groups.report_names),
    PromptCommand("group", _("Make or show a group of companies"), groups.group, ("groups",), groups.names),
    PromptCommand("ungroup", _("Forget a group of companies"), groups.ungroup, (), groups.names, of_known=True),
    PromptCommand("save", _("Save this list with its filter"), _save, (), groups.search_names),
    PromptCommand(
        "saved", _("Open a saved search"), groups.open_search, ("searches",), groups.search_names, of_known=True
    ),
    PromptCommand("forget", _("Forget a saved search"), groups.forget_search, (), groups.search_names, of_known=True),
    PromptCommand("due", _("Carry out what is due"), leaving.due, (), leaving.due_logins, of_known=True),
    PromptCommand("plan", _("Show what a document would change"), company_plans.plan, (), company_plans.files),
    PromptCommand("theme", _("Choose a theme while you see it"), themes.choose, (), themes.names),
    PromptCommand("reset", _("Reset the demo data"), demo.reset_data),
    PromptCommand("quit", _("Quit the console"), _quit, ("q",)),
)
_BY_WORD = {word: command for command in COMMANDS for word in (command.name, *command.aliases)}


def command(word: str) -> PromptCommand | None:
    """The command with a typed name or alias."""
    return _BY_WORD.get(word)


def user_actions(frame: StageScreen) -> dict[str, list[Action]]:
    """The user commands by name, each with its actions for the kinds of records that it is for."""
    found: dict[str, list[Action]] = {}
    for action in frame.registry:
        if action.group == USER_GROUP:
            found.setdefault(action.name.split(".")[1], []).append(action)
    return found


def run_user_action(word: str, frame: StageScreen) -> bool:
    """Run the command of the user with this name; False when there is none."""
    actions = user_actions(frame).get(word)
    if not actions:
        return False
    resource = frame.view.resource if frame.view else None
    kind = resource.name if resource else ""
    frame.perform_by_name(next((action for action in actions if action.resource == kind), actions[0]).name)
    return True


def command_lines(names: Sequence[str], frame: StageScreen) -> dict[str, MenuLine]:
    """Name -> its entry in the menu."""
    own = {name: MenuLine(name, actions[0].label) for name, actions in user_actions(frame).items() if name in names}
    saved = frame.workspace.preferences.searches
    searches = {name: MenuLine(name, link) for name, link in saved.items() if name in names}
    return {
        **{item.name: MenuLine(item.name, item.title) for item in COMMANDS if item.name in names},
        **own,
        **searches,
    }


def commands_for(text: str, frame: StageScreen) -> list[str]:
    """The commands that complete a typed text; after a command, what may follow it."""
    word, space, argument = text.partition(" ")
    if not space:
        words = [item.name for item in COMMANDS if not item.of_known or item.arguments(frame)]
        names = [*words, *user_actions(frame), *groups.search_names(frame)]
        return [name for name in names if name.startswith(word) and name != word]
    found = command(word)
    offered = found.arguments(frame) if found else ()
    return [f"{word} {each}" for each in offered if each.startswith(argument.strip()) and each != argument]
