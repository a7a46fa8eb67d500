"""Choice of the command for a command line. Frequent commands do without the parser, which takes time to load. Before,
what a process is given at its start: standard streams that can be closed, and bytes that can be no text.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.commands import candidates, help, language_choice
from svc_tui.commands.exits import CommandExit, Exit, UsageError, discard_output, print_message
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from collections.abc import Callable

    from svc_tui.commands import console, demo_start, failures, parser
    from svc_tui.workspace.profiles import running_demo
else:
    console = lazy_import("svc_tui.commands.console")
    demo_start = lazy_import("svc_tui.commands.demo_start")
    failures = lazy_import("svc_tui.commands.failures")
    parser = lazy_import("svc_tui.commands.parser")
    running_demo = lazy_import("svc_tui.workspace.profiles.running_demo")


#: The profile that can be a running demo, and not a stored one.
DEMO = "demo"


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        open_closed_streams()
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
    except ModuleNotFoundError:
        # The entry point names the package: what describes errors may need it too.
        raise
    except Exception as error:
        message, code = failures.describe(error)
        print_message(f"svc-tui: {message}")
        return code


def _dispatch(arguments: list[str]) -> int | None:
    check_text(arguments, os.environ)
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


#: Variables of this program begin so; those of proxies end so.
_OWN, _PROXY = "SVC_TUI_", "_PROXY"


class _ClosedOutput(io.FileIO):
    """Stands for a closed standard output: what is written to it is lost, and the command reports that."""

    def write(self, _data: object) -> int:
        raise OSError(errno.EBADF, _("standard output is closed"))


def open_closed_streams() -> None:
    """Open the standard streams that the process was started without, so that no other file gets their numbers.

    Input is empty, messages are lost, and data that is written ends the command with an error.
    """
    # The lowest free number is opened first: that of the closed stream.
    if sys.stdin is None:
        sys.stdin = os.fdopen(_null(os.O_RDONLY), encoding="utf-8", closefd=False)
    if sys.stdout is None:
        # Without a buffer, what could not be written is not tried again at the end.
        raw: Any = _ClosedOutput(_null(os.O_WRONLY), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    if sys.stderr is None:
        sys.stderr = os.fdopen(_null(os.O_WRONLY), "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def _null(mode: int) -> int:
    handle = os.open(os.devnull, mode)
    os.set_inheritable(handle, True)
    return handle


def check_text(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """UsageError that names an argument, or a variable of this program, with bytes that are not UTF-8."""
    for place, word in enumerate(arguments):
        if not _is_text(word):
            # A body can have secrets.
            of_body = word.startswith("--body=") or arguments[place - 1 : place] == ["--body"]
            shown = word.removeprefix("--body=").partition("=")[0] + "=…" if of_body else word
            raise UsageError(
                _('The argument "{word}" has bytes that are not UTF-8 text. Nothing was sent.').format(
                    word=_with_bytes(shown)
                )
            )
    for name, value in environ.items():
        if (name.startswith(_OWN) or name.upper().endswith(_PROXY)) and not _is_text(value):
            raise UsageError(
                _("The variable {name} has bytes that are not UTF-8 text. Nothing was sent.").format(
                    name=_with_bytes(name)
                )
            )


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _with_bytes(text: str) -> str:
    """The text with its bytes that are not UTF-8 as they are written in a shell: `\\xff`."""
    return os.fsencode(text).decode("utf-8", "backslashreplace")
