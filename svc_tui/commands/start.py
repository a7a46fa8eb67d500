"""Choice of the command for a command line. Frequent commands do without the parser, which takes time to load."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from svc_tui.commands import language_choice, surroundings
from svc_tui.commands.exits import CommandExit, Exit, discard_output, print_message
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from collections.abc import Callable

    from svc_tui.commands import candidates, console, demo_start, failures, help, parser
    from svc_tui.workspace.profiles import running_demo
else:
    candidates = lazy_import("svc_tui.commands.candidates")
    console = lazy_import("svc_tui.commands.console")
    demo_start = lazy_import("svc_tui.commands.demo_start")
    failures = lazy_import("svc_tui.commands.failures")
    help = lazy_import("svc_tui.commands.help")
    parser = lazy_import("svc_tui.commands.parser")
    running_demo = lazy_import("svc_tui.workspace.profiles.running_demo")

#: The profile that can be a running demo, and not a stored one.
DEMO = "demo"


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        surroundings.open_closed_streams()
    # Before modules with texts are imported.
    language_choice.choose(arguments, os.environ)
    return _run_command(lambda: _dispatch(arguments))


def _run_command(command: Callable[[], int | None]) -> int:
    """Run a command and return its exit code. Never raises and never prints a traceback."""
    try:
        code = int(command() or Exit.DONE)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        discard_output()
        return Exit.DONE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except CommandExit as end:
        return end.code
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):
            # The library that prints the help ends the program with 1.
            return Exit.DONE
        return end.code if isinstance(end.code, int) else Exit.DONE if end.code is None else Exit.FAILED
    except Exception as error:
        message, code = failures.describe(error)
        print_message(f"svc-tui: {message}")
        return code


def _dispatch(arguments: list[str]) -> int | None:
    surroundings.check_text(arguments, os.environ)
    if DEMO in (*arguments, os.environ.get("SVC_TUI_PROFILE")) or f"--profile={DEMO}" in arguments:
        running_demo.follow(_profile_of(arguments))
    match arguments:
        case []:
            return console.open_console()
        case ["--help" | "-h"]:
            help.print_help()
        case ["open", target] if not target.startswith("-"):
            return console.open_console(target)
        case ["demo"]:
            return demo_start.start_demo()
        case ["demo", "--tour"]:
            return demo_start.start_demo(tour=True)
        case ["completion", "candidates", *words]:
            candidates.print_candidates(words)
        case _:
            return parser.parse_and_run(arguments)
    return None


def _profile_of(arguments: list[str]) -> str:
    """The profile that a command line names; empty when it names none."""
    for word, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == "--profile" or word.startswith("--profile="):
            return word.partition("=")[2] or value
    return ""
