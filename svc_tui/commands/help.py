"""The help of `svc-tui`, without the parser, which takes longer to load than to print. Commands have theirs in it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from svc_tui.commands.styles import painted, wrapped
from svc_tui.commands.table import COMMANDS, DESCRIPTION, EPILOGUE, GENERAL_OPTIONS
from svc_tui.language import _

_WIDEST = 100
#: Columns without a terminal.
_PIPED = 80


def print_help() -> None:
    """Print the help for the width of the terminal."""
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        columns = _PIPED
    # Some terminals do not know their size.
    for line in lines(min(columns or _PIPED, _WIDEST)):
        print(_painted(line))


def _painted(line: str) -> str:
    """A line with its title, or the name before its text, in colour."""
    if line.endswith(":") and not line.startswith(" "):
        return painted(line, "heading")
    name, colon, text = line.partition(": ")
    if colon and line.startswith("  ") and not line.startswith("   "):
        return f"  {painted(name.strip(), 'accent')}{colon}{text}"
    return line


def lines(columns: int) -> Iterator[str]:
    """The lines of the help, broken at a number of columns."""
    yield _("Usage: svc-tui [COMMAND] [OPTIONS]")
    yield ""
    yield from wrapped(DESCRIPTION, columns)
    for group in dict.fromkeys(command.group for command in COMMANDS):
        yield from _section(group, {each.name: each.summary for each in COMMANDS if each.group == group}, columns)
    yield from _section("Options", GENERAL_OPTIONS, columns)
    yield ""
    for paragraph in (_("Run `svc-tui COMMAND --help` for the options of a command."), *EPILOGUE.split("\n")):
        yield from wrapped(paragraph, columns)


def _section(title: str, entries: dict[str, str], columns: int) -> Iterator[str]:
    yield ""
    yield f"{title}:"
    for name, summary in entries.items():
        yield from wrapped(f"{name}: {summary}", columns, "  ", "    ")
