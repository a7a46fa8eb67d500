"""The commands with their help, and the parser for them. A command's module is imported when the command is used."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from cyclopts import App, CycloptsError, Group

from svc_tui import __version__
from svc_tui.commands import __path__ as _FOLDER
from svc_tui.commands.command import Command
from svc_tui.commands.exits import Exit, UsageError, print_message
from svc_tui.commands.options import ProfileName, ReadOnly
from svc_tui.commands.suggestions import suggestion
from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.commands import console
else:
    console = late("svc_tui.commands.console")

EPILOGUE = (
    "Exit codes: 0 done; 1 refused by the service; 2 wrong usage; 3 not logged in; 4 service unreachable; "
    "130 interrupted.\n"
    "Secrets come from a prompt or from the environment: SVC_TUI_PASSWORD, SVC_TUI_APP_SECRET, SVC_TUI_API_KEY."
)


_GENERAL = (
    Command(
        "Console",
        "demo",
        "demo:demo",
        "Open the console on a private demo service, logged in.",
        "The service runs on this machine only. It is removed with all its data when you quit.",
    ),
    Command("Console", "open", "open:open_target", "Open the console at a place, for example `applications`."),
    Command(
        "Console",
        "web",
        "web:web",
        "Open the console in a browser on this machine.",
        "Prints an address that works once; other browsers and machines are refused. Each tab has its console, "
        "which ends 30 seconds after its tab.",
    ),
    Command(
        "Scripts",
        "login",
        "session:login",
        "Log in, for other commands and for the console.",
        "The password comes from a prompt or from SVC_TUI_PASSWORD.",
    ),
    Command("Scripts", "logout", "session:logout", "End the session."),
    Command("Scripts", "whoami", "session:whoami", "Show the user, the service and the remaining session time."),
    Command(
        "Scripts",
        "operations",
        "operations:operations",
        "List the operations of the API with their roles, or show one.",
        "One operation is shown with its parameters and the fields of its body.\n\n"
        "Example: svc-tui operations create_application",
    ),
    Command(
        "Scripts",
        "call",
        "call:call",
        "Call one operation of the API.",
        "The response goes to standard output.\n\n"
        "Example: svc-tui call list_applications state=active env=deployed --all --output csv",
    ),
    Command("This machine", "profile", "profile:app", "Manage connection profiles."),
    Command("This machine", "cache", "cache:app", "Show or clear the local cache."),
    Command("This machine", "doctor", "doctor:doctor", "Show what this terminal and this connection support."),
    Command(
        "Service",
        "serve",
        "serve:serve",
        "Run the service.",
        "Prints `listening on URL` when it accepts requests; logs go to standard error. "
        "SIGTERM completes the requests in flight and stops the service.",
    ),
    Command("Service", "demo-accounts", "demo_accounts:demo_accounts", "List the demo accounts, one for each role."),
)


def _commands_of_areas() -> Iterator[Command]:
    """`COMMAND` of each area that has commands: the packages in this folder."""
    for found in iter_modules(_FOLDER):
        if found.ispkg:
            yield import_module(f"svc_tui.commands.{found.name}").COMMAND


COMMANDS = (*_GENERAL, *_commands_of_areas())


def build_parser() -> App:
    """The parser with all commands; none of their modules is imported yet."""
    app = App(
        name="svc-tui",
        help="A keyboard console for administrators of a communications service. "
        "Without a command, opens the console with the last used profile.",
        help_epilogue=EPILOGUE,
        help_format="plaintext",
        version=__version__,
        help_formatter="plain",
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
    )
    app["--help"].help = "Show this help."
    app["--version"].help = "Show the version."
    app.default(_open_console)
    groups = {name: Group(name, sort_key=place) for place, name in enumerate(dict.fromkeys(c.group for c in COMMANDS))}
    for place, command in enumerate(COMMANDS):
        # A group of commands sets these itself; the parser does not accept them twice.
        own: dict[str, Any] = {} if command.target.endswith(":app") else {"help_epilogue": "", "version_flags": []}
        app.command(
            f"svc_tui.commands.{command.target}",
            name=command.name,
            help=command.help,
            group=groups[command.group],
            sort_key=place,
            **own,
        )
    return app


def _open_console(*, profile: ProfileName = "", read_only: ReadOnly = False) -> int:
    return console.open_console(profile=profile, read_only=read_only)


def parse_and_run(arguments: list[str]) -> int:
    """Run the command that the arguments name; exit code 2 and one message for arguments that cannot be parsed."""
    _check_command(arguments[0])
    try:
        result: Any = build_parser()(_with_scale(arguments))
    except CycloptsError as error:
        print_message(f"svc-tui: {_parser_message(error)}")
        return Exit.USAGE
    return result if isinstance(result, int) else Exit.DONE


def _check_command(word: str) -> None:
    """UsageError, with the closest command, when the first word is neither an option nor a command."""
    names = [command.name for command in COMMANDS]
    if not word.startswith("-") and word not in names:
        hint = suggestion(word, names, "Run `svc-tui --help` for a list.", cutoff=0.7)
        raise UsageError(f'Unknown command "{word}". {hint}')


def _with_scale(arguments: list[str]) -> list[str]:
    """`--demo-data` alone means `--demo-data small`; the parser has no options with an optional value."""
    if arguments[0] != "serve" or "--demo-data" not in arguments:
        return arguments
    place = arguments.index("--demo-data") + 1
    named = place < len(arguments) and not arguments[place].startswith("-")
    return arguments if named else [*arguments[:place], "small", *arguments[place:]]


def _parser_message(error: CycloptsError) -> str:
    """The parser's message in one line, and the command that shows the help."""
    words = ["svc-tui", *(error.command_chain or ())]
    return f"{' '.join(str(error).split())} Run `{' '.join(words)} --help` for usage."
