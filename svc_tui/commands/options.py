"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands.output import Format

ProfileName = Annotated[str, Parameter(name="--profile", show_default=False, help="Connection profile to use.")]
ReadOnly = Annotated[
    bool,
    Parameter(name="--read-only", negative="", show_default=False, help="Allow only operations that read."),
]
AsJson = Annotated[bool, Parameter(name="--json", negative="", show_default=False, help="Output JSON.")]
Output = Annotated[
    Format | None,
    Parameter(name="--output", help="Output format. Default: table on a terminal, json otherwise."),
]
