"""The command line as people type it: every command with its help, each loaded when it is used."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from cyclopts import App, CycloptsError, Group

from svc_tui import __version__
from svc_tui.commands.exits import Exit, WrongUsage, say
from svc_tui.commands.options import ProfileName, ReadOnly

MORE = """Exit codes: 0 done; 1 the service refused; 2 wrong usage; 3 not logged in; 4 not reachable; 130 interrupted.
Secrets are asked for or come from the environment (SVC_TUI_PASSWORD, SVC_TUI_APP_SECRET, SVC_TUI_API_KEY)."""

#: Group, command, where it is, what it does.
COMMANDS = (
    ("Console", "demo", "demo:demo", "Open the console on a private demo service, logged in; nothing stays behind."),
    ("Console", "open", "console_line:open_place", "Open the console at a place, such as `applications`."),
    ("Scripts", "login", "session:login", "Log in, for the commands below and for the console."),
    ("Scripts", "logout", "session:logout", "End the session."),
    ("Scripts", "whoami", "session:whoami", "Who is logged in, where, and for how long."),
    ("Scripts", "operations", "operations:operations", "Every operation of the interface, and who may call it."),
    ("Scripts", "call", "call:call", "Perform one operation; data on standard output."),
    ("Scripts", "directory", "directory:app", "Check and import files of a directory, with progress."),
    ("This machine", "profile", "profile:app", "The services you connect to, and how."),
    ("This machine", "cache", "cache:app", "What is kept here to start at once and to browse offline."),
    ("This machine", "doctor", "doctor:doctor", "What this terminal and this connection can do."),
    ("Service", "serve", "serve:serve", "Run the service itself."),
    ("Service", "demo-accounts", "accounts:demo_accounts", "The accounts of the demo data, one for each role."),
)


def command_line() -> App:
    """The parser with all commands; none of them is loaded yet."""
    app = App(
        name="svc-tui",
        help="A keyboard console for administrators of a communications service. Without a command it opens.",
        help_epilogue=MORE,
        help_format="plaintext",
        version=__version__,
        help_formatter="plain",
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
    )
    app.default(_console)
    order = {group: Group(group, sort_key=place) for place, group in enumerate(dict.fromkeys(c[0] for c in COMMANDS))}
    for place, (group, name, where, help_text) in enumerate(COMMANDS):
        # A group of commands brings this along itself; the parser insists.
        own: dict[str, Any] = {} if where.endswith(":app") else {"help_epilogue": "", "version_flags": []}
        app.command(f"svc_tui.commands.{where}", name=name, help=help_text, group=order[group], sort_key=place, **own)
    return app


def _console(
    *,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
) -> int:
    from svc_tui.commands.console import open_console

    return open_console(profile=profile, read_only=read_only)


def parse_and_run(arguments: list[str]) -> int:
    """Run what the arguments name. A line that cannot be understood is told in one sentence: exit code 2."""
    _known_command(arguments)
    app = command_line()
    try:
        result: Any = app(_with_scale(arguments))
    except CycloptsError as error:
        say(f"svc-tui: {sentence_of(error)}")
        return Exit.USAGE
    return result if isinstance(result, int) else Exit.DONE


def _known_command(arguments: list[str]) -> None:
    """WrongUsage with a near miss when the first word is no command."""
    names = [name for _, name, _, _ in COMMANDS]
    word = arguments[0]
    if word.startswith("-") or word in names:
        return
    near = get_close_matches(word, names, n=1, cutoff=0.7)
    hint = f"did you mean `svc-tui {near[0]}`?" if near else "`svc-tui --help` names them all."
    raise WrongUsage(f"There is no command {word!r}; {hint}")


def _with_scale(arguments: list[str]) -> list[str]:
    """`--demo-data` stands for `--demo-data small`; the parser knows no option whose value may be missing."""
    if arguments[0] != "serve" or "--demo-data" not in arguments:
        return arguments
    place = arguments.index("--demo-data") + 1
    named = place < len(arguments) and not arguments[place].startswith("-")
    return arguments if named else [*arguments[:place], "small", *arguments[place:]]


def sentence_of(error: CycloptsError) -> str:
    """The parser's complaint in one line, and where the help is."""
    words = ["svc-tui", *(error.command_chain or ())]
    return f"{' '.join(str(error).split())} See `{' '.join(words)} --help`."
