"""Entry point of `svc-tui` and `python -m svc_tui`. `--version` is answered without loading anything else."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from svc_tui import __version__
from svc_tui.lazy_import import TYPE_CHECKING, lazy_import

if TYPE_CHECKING:
    from typing import NoReturn

    from svc_tui.commands import start
else:
    start = lazy_import("svc_tui.commands.start")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run one command line and exit with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words == ["--version"] and None not in (sys.stdin, sys.stdout, sys.stderr) and _print_version():
        sys.exit(0)
    try:
        code = start.run(words)
    except ModuleNotFoundError as error:
        # Programs that only call the service are installed with fewer packages.
        code = 70
        hint = "requirements.lock has all packages that the command needs"
        print(f"svc-tui: the package {error.name} is not installed; {hint}.", file=sys.stderr)  # noqa: T201
    _flush()
    sys.exit(code)


def _print_version() -> bool:
    """Whether the version was written; otherwise the command reports the reason."""
    try:
        print(__version__, flush=True)  # noqa: T201
    except OSError:
        return False
    return True


def _flush() -> None:
    """Write what is left. What cannot be written was reported by the command, or has no reader."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            # Python would try again at its end, and report it.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
