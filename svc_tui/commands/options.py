"""The options that several commands share, each said once."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

ProfileName = Annotated[str, Parameter(name="--profile", show_default=False, help="The profile to use.")]
ReadOnly = Annotated[
    bool,
    Parameter(
        name="--read-only",
        negative="",
        show_default=False,
        help="Refuse every operation that is not known to read.",
    ),
]
AsJson = Annotated[bool, Parameter(name="--json", negative="", show_default=False, help="As JSON, for scripts.")]
