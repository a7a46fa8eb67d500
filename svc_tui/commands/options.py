"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands.output import Format
from svc_tui.commands.table import GENERAL_OPTIONS

ProfileName = Annotated[str, Parameter(name="--profile", show_default=False, help=GENERAL_OPTIONS["--profile STR"])]
ReadOnly = Annotated[
    bool,
    Parameter(name="--read-only", negative="", show_default=False, help=GENERAL_OPTIONS["--read-only"]),
]
Linear = Annotated[
    bool,
    Parameter(
        name="--linear", negative="", show_default=False, help="Show views as lines of text, for screen readers."
    ),
]
DatabaseUrl = Annotated[
    str | None,
    Parameter(
        name="--database",
        show_default=False,
        help="sqlite:///FILE or postgresql://… Default: a file in the data folder.",
    ),
]
AsJson = Annotated[bool, Parameter(name="--json", negative="", show_default=False, help="Output JSON.")]
Output = Annotated[
    Format | None,
    Parameter(name="--output", help="Output format. Default: table on a terminal, json otherwise."),
]
