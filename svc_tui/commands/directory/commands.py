"""`svc-tui directory`: checks, conversions and imports of directory files without the console."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from svc_tui.commands import event_loop
from svc_tui.commands.directory import files, source
from svc_tui.commands.options import Output, ProfileName, ReadOnly
from svc_tui.commands.output import format_or_default
from svc_tui.language import _

app = App(name="directory", version_flags=[], help_epilogue="", help=_("Check, convert and import directory files."))

File = Annotated[Path, Parameter(help="CSV file whose first line names the columns, or vCard file.")]
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

Encoding = Annotated[
    str,
    Parameter(name="--encoding", show_default=False, help="Encoding of the file, such as cp1252. Default: detected."),
]
MapFile = Annotated[
    Path | None,
    Parameter(
        name="--map",
        show_default=False,
        help='TOML file with a line for each column: "Business Phone" = "workPhoneNumber".',
    ),
]
CountryOption = Annotated[
    str,
    Parameter(
        name="--country",
        show_default=False,
        help="Country of numbers without a country code, such as PRT. Default: that of the company.",
    ),
]

AcceptDoubtful = Annotated[
    bool,
    Parameter(
        name="--accept-doubtful",
        negative="",
        show_default=False,
        help="Take the suggestions of doubtful rows. Without it these rows are left over.",
    ),
]

CHECK_HELP = _("""Check a file without changing the directory.

The exit code is 1 when a row is doubtful or has an error.

Example: svc-tui directory check contacts.csv --local --country PRT""")
IMPORT_HELP = _(
    "Import a file and wait for the result.\n\n"
    "Replaces the whole directory, unless --command is given: then each row has its own action. "
    "On a terminal, asks before it replaces a directory that has entries. Without a terminal, "
    "a file that contains only a part of a directory, has more wrong than right rows, or removes more than half of "
    "the entries (and at least ten), requires --yes.\n\n"
    "Doubtful rows and rows with errors are left over; when no row is right, nothing is sent. "
    "The exit code is 1 when a row fails or is left over.\n\n"
    "Example: svc-tui directory import contacts.csv --company 5f3c… --output json"
)

CONVERT_HELP = _(
    "Write the correct rows of a file as the service takes them: UTF-8, the columns of the service, "
    "and telephone numbers with their country codes.\n\n"
    "Sends nothing and needs no login. The exit code is 1 when a row has an error.\n\n"
    "Example: svc-tui directory convert outlook.csv --country PRT --output contacts.csv"
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
    encoding: Encoding = "",
    map_file: MapFile = None,
    country: CountryOption = "",
    output: Output = None,
    profile: ProfileName = "",
) -> int:
    """Check a file without changing the directory."""
    reading = source.Reading(delimiter, comment, encoding, map_file, country)
    found = source.directory_file(file, company, personal, command, reading)
    if local:
        result = files.check_locally(found)
    else:
        result = event_loop.run(files.check_remotely(found, profile))
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
    encoding: Encoding = "",
    map_file: MapFile = None,
    country: CountryOption = "",
    label: Annotated[
        str, Parameter(show_default=False, help="Name of this import. Default: the name of the file.")
    ] = "",
    output: Output = None,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
    accept_doubtful: AcceptDoubtful = False,
    yes: Annotated[
        bool,
        Parameter(name="--yes", negative="", show_default=False, help="Replace the directory without confirmation."),
    ] = False,
) -> int:
    """Import a file and wait for the result."""
    reading = source.Reading(delimiter, comment, encoding, map_file, country)
    found = source.directory_file(file, company, personal, command, reading)
    importing = files.import_remotely(
        found,
        label or file.name,
        profile,
        read_only=read_only,
        confirmed=yes,
        accept_doubtful=accept_doubtful,
    )
    return files.report_import(event_loop.run(importing), format_or_default(output))


@app.command(help=CONVERT_HELP)
def convert(
    file: File,
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(name="--output", show_default=False, help="File to write. Default: standard output."),
    ] = None,
    delimiter: Delimiter = "",
    comment: Comment = "%",
    encoding: Encoding = "",
    map_file: MapFile = None,
    country: CountryOption = "",
    accept_doubtful: AcceptDoubtful = False,
) -> int:
    """Write a file as the service takes it."""
    reading = source.Reading(delimiter, comment, encoding, map_file, country)
    found = source.directory_file(file, "", False, "", reading)
    return files.report_conversion(files.write_converted(found, output, accept_doubtful=accept_doubtful))
