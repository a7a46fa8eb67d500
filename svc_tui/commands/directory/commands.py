"""`svc-tui directory`: checks and imports of directory files without the console."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from svc_tui.commands import event_loop
from svc_tui.commands.exits import UsageError
from svc_tui.commands.options import Output, ProfileName, ReadOnly
from svc_tui.commands.output import format_or_default
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands.directory import files
else:
    files = lazy_import("svc_tui.commands.directory.files")

app = App(name="directory", version_flags=[], help_epilogue="", help=_("Check and import directory files."))

File = Annotated[Path, Parameter(help="CSV file. Its first line names the columns.")]
CompanyOption = Annotated[
    str, Parameter(name="--company", show_default=False, help="ID of the company. Default: your company.")
]
Personal = Annotated[
    bool, Parameter(name="--personal", negative="", show_default=False, help="Use your personal directory.")
]
CommandOption = Annotated[
    str,
    Parameter(name="--command", show_default=False, help="ID of a command: each row has its own action."),
]
Delimiter = Annotated[
    str, Parameter(name="--delimiter", show_default=False, help="Character between values. Default: detected.")
]
Comment = Annotated[str, Parameter(name="--comment", help="Character that starts a comment; empty for none.")]

CHECK_HELP = _("""Check a file without changing the directory.

The exit code is 1 when a row has an error.

Example: svc-tui directory check contacts.csv --local --country PRT""")
IMPORT_HELP = _(
    "Import a file and wait for the result.\n\n"
    "Replaces the whole directory, unless --command is given: then each row has its own action. "
    "On a terminal, asks before it replaces a directory that has entries. Without a terminal, "
    "a file that contains only a part of a directory requires --yes. "
    "The exit code is 1 when a row fails.\n\n"
    "Example: svc-tui directory import contacts.csv --company 5f3c… --output json"
)


@app.command(help=CHECK_HELP)
def check(
    file: File,
    /,
    *,
    company: CompanyOption = "",
    personal: Personal = False,
    command: CommandOption = "",
    delimiter: Delimiter = "",
    comment: Comment = "%",
    local: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Check on this machine. Sends nothing and needs no login."),
    ] = False,
    country: Annotated[
        str,
        Parameter(show_default=False, help="With --local: country for numbers without a country code, such as PRT."),
    ] = "",
    output: Output = None,
    profile: ProfileName = "",
) -> int:
    """Check a file without changing the directory."""
    if country and not local:
        raise UsageError(_("--country requires --local: the service uses the country of the company."))
    source = files.directory_file(file, company, personal, command, delimiter, comment)
    if local:
        result = files.check_locally(source, country)
    else:
        result = event_loop.run(files.check_remotely(source, profile))
    return files.report_check(result, format_or_default(output))


@app.command(name="import", help=IMPORT_HELP)
def import_file(
    file: File,
    /,
    *,
    company: CompanyOption = "",
    personal: Personal = False,
    command: CommandOption = "",
    delimiter: Delimiter = "",
    comment: Comment = "%",
    label: Annotated[
        str, Parameter(show_default=False, help="Name of this import. Default: the name of the file.")
    ] = "",
    output: Output = None,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
    yes: Annotated[
        bool,
        Parameter(name="--yes", negative="", show_default=False, help="Replace the directory without confirmation."),
    ] = False,
) -> int:
    """Import a file and wait for the result."""
    source = files.directory_file(file, company, personal, command, delimiter, comment)
    importing = files.import_remotely(source, label or file.name, profile, read_only=read_only, confirmed=yes)
    report, before = event_loop.run(importing)
    return files.report_import(report, format_or_default(output), before)
