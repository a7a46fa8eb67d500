"""The door: `svc-tui` and `python -m svc_tui`. What is asked for most often is answered with the least loading."""

from __future__ import annotations

import sys
from typing import NoReturn


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run one command line and leave with its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given == ["--version"]:
        from svc_tui import __version__

        print(__version__)  # noqa: T201
        sys.exit(0)
    from svc_tui.commands.start import run

    sys.exit(run(given))


if __name__ == "__main__":
    main()
