"""`svc-tui completion`: the script that completes command lines in a shell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from svc_tui.commands import output

Shell = Literal["bash", "zsh", "fish"]
#: The scripts. Packages of the system install them as they are.
_FILES: dict[Shell, str] = {"bash": "svc-tui.bash", "zsh": "_svc-tui", "fish": "svc-tui.fish"}


def completion(shell: Annotated[Shell, Parameter(help="The shell.")], /) -> None:
    """Print the completion for a shell."""
    output.write_text(script(shell))


def script(shell: Shell) -> str:
    """The completion for a shell, as a script to load or to install."""
    return (Path(__file__).parent / "shells" / _FILES[shell]).read_text("utf-8")
