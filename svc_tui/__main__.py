"""Entry point of `svc-tui` and `python -m svc_tui`. `--version` is answered without loading anything else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

from svc_tui import __version__
from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.commands import start
else:
    start = late("svc_tui.commands.start")


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run one command line and exit with its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words == ["--version"]:
        print(__version__)  # noqa: T201
        sys.exit(0)
    sys.exit(start.run(words))


if __name__ == "__main__":
    main()
