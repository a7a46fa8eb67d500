"""Entry point of `svc-tui` and `python -m svc_tui`. `--version` is answered without loading anything else."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress

from svc_tui import __version__
from svc_tui.lazy_import import TYPE_CHECKING, lazy_import

if TYPE_CHECKING:
    from typing import NoReturn

    from svc_tui.commands import language_choice, start, surroundings
else:
    language_choice = lazy_import("svc_tui.commands.language_choice")
    start = lazy_import("svc_tui.commands.start")
    surroundings = lazy_import("svc_tui.commands.surroundings")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run one command line and exit with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if None in (sys.stdin, sys.stdout, sys.stderr):
        surroundings.open_closed_streams()
    if words == ["--version"] and _print_version():
        sys.exit(0)
    # Before modules with texts are imported.
    language_choice.choose(words, os.environ)
    codes: list[int] = []
    if arguments is None:
        # The handler that is registered first runs last.
        atexit.register(_end, codes)
    codes.append(start.run(words))
    sys.exit(codes[0])


def _print_version() -> bool:
    """Whether the version was written; otherwise the command reports the reason."""
    try:
        print(__version__, flush=True)  # noqa: T201
    except OSError:
        return False
    return True


def _end(codes: list[int]) -> None:
    """End the process without freeing every object first, which takes as long as everything else at the end."""
    if codes:
        for stream in (sys.stdout, sys.stderr):
            # What cannot be written was reported by the command, or has no reader.
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(codes[0])


if __name__ == "__main__":
    main()
