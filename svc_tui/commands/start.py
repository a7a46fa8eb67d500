"""From the words of a command line to the command: the console by the shortest way, all others through the parser."""

from __future__ import annotations

from svc_tui.commands.exits import guarded


def run(arguments: list[str]) -> int:
    """Run one command line; the exit code of the contract."""
    return guarded(lambda: _dispatch(arguments))


def _dispatch(arguments: list[str]) -> int | None:
    match arguments:
        case []:
            from svc_tui.commands.console import open_console

            return open_console()
        case ["open", place] if not place.startswith("-"):
            from svc_tui.commands.console import open_console

            return open_console(place)
        case _:
            from svc_tui.commands.line import parse_and_run

            return parse_and_run(arguments)
