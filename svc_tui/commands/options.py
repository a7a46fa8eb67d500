"""Options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands.output import Format
from svc_tui.commands.table import GENERAL_OPTIONS
from svc_tui.workspace.core.folders import folders

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


def data_folder(data_dir: Path | None, config: Path | None) -> Path | None:
    """The folder for the database file; that of the configuration is None."""
    return folders().data / "server" if data_dir is None and config is None else data_dir


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseOptions:
    """The options that name the database of a service."""

    database: DatabaseUrl = None
    config: Annotated[Path | None, Parameter(show_default=False, help="TOML file of the service.")] = None
    data_dir: Annotated[Path | None, Parameter(show_default=False, help="Folder for the database file.")] = None

    @property
    def folder(self) -> Path | None:
        """The folder for the database file."""
        return data_folder(self.data_dir, self.config)
