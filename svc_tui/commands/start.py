"""Choice of the command for a command line. What is used most does without the parser, which takes time to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.commands.exits import run_command
from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.commands import candidates, console, help, parser, short_call
else:
    candidates = late("svc_tui.commands.candidates")
    console = late("svc_tui.commands.console")
    help = late("svc_tui.commands.help")
    parser = late("svc_tui.commands.parser")
    short_call = late("svc_tui.commands.short_call")


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code."""
    return run_command(lambda: _dispatch(arguments))


def _dispatch(arguments: list[str]) -> int | None:
    match arguments:
        case []:
            return console.open_console()
        case ["--help" | "-h"]:
            help.print_help()
        case ["open", target] if not target.startswith("-"):
            return console.open_console(target)
        case ["completion", "candidates", *words]:
            candidates.print_candidates(words)
        case ["call", *words] if short_call.call(words):
            pass
        case _:
            return parser.parse_and_run(arguments)
    return None
