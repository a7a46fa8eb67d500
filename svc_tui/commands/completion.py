"""`svc-tui completion`: the completion of commands and options for a shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from svc_tui.commands import output
from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.commands import parser
else:
    parser = late("svc_tui.commands.parser")

Shell = Literal["bash", "zsh", "fish"]


def completion(shell: Annotated[Shell, Parameter(help="The shell.")], /) -> None:
    """Print the completion for a shell."""
    output.write_text(script(shell))


def script(shell: Shell) -> str:
    """The completion for a shell, as a script to load or to install."""
    return parser.build_parser().generate_completion(prog_name="svc-tui", shell=shell)
