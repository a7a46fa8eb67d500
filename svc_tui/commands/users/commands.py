"""`svc-tui users`: checks and imports of files of users without the console."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from svc_tui.commands import event_loop
from svc_tui.commands.options import Output, ProfileName, ReadOnly
from svc_tui.commands.output import format_or_default
from svc_tui.commands.users import files, phones
from svc_tui.language import _

app = App(name="users", version_flags=[], help_epilogue="", help=_("Check and import files of users."))

File = Annotated[Path, Parameter(help="CSV file whose first line names the columns, among them loginEmail.")]
CompanyOption = Annotated[
    str, Parameter(name="--company", show_default=False, help="ID of the company. Default: your company.")
]
Delimiter = Annotated[
    str, Parameter(name="--delimiter", show_default=False, help="Character between values. Default: detected.")
]
Comment = Annotated[str, Parameter(name="--comment", help="Character that starts a comment line; empty for none.")]
Encoding = Annotated[
    str,
    Parameter(name="--encoding", show_default=False, help="Encoding of the file, such as cp1252. Default: detected."),
]
CountryOption = Annotated[
    str,
    Parameter(
        name="--country",
        show_default=False,
        help="Country of numbers without a country code, such as PRT. Default: that of the user, or of the company.",
    ),
]
CHECK_HELP = _(
    "Check a file without changing anything.\n\n"
    "Each row is compared with the users of the company: what would be created, updated and deleted. The exit code is "
    "1 when a row is doubtful or has an error.\n\n"
    "Example: svc-tui users check staff.csv --local --country PRT"
)
IMPORT_HELP = _(
    "Create, update and delete the users of a file, one after the other.\n\n"
    "The column __action__ has create, update or delete. Without it, a new login is created, and a known one is "
    "updated. An absent column leaves its field as it is, and an empty value changes nothing.\n\n"
    "Doubtful rows and rows with errors are left over. The exit code is 1 when a row is left over or fails.\n\n"
    "After an interruption, the same command continues: what was done is not sent again, and what has no outcome is "
    "looked up.\n\n"
    "Example: svc-tui users import staff.csv --passwords first-passwords.csv"
)
PHONES_HELP = _(
    "Give users extension, DDI number and device as a file says.\n\n"
    "The first line of the CSV or XLSX file names the columns: loginEmail, shortNumber, ddiNumber, macAddress, model, "
    "description. Users without an extension get the next free one. A device without a login stays unassigned.\n\n"
    "The whole file is checked first. Lines with a problem are left over; the exit code is then 1.\n\n"
    "After an interruption, the same command continues, because what users have already is not sent again. The console "
    "can undo what was done.\n\n"
    "Example: svc-tui users phones phones.csv --dry-run"
)


@app.command(help=CHECK_HELP)
def check(
    file: File,
    /,
    *,
    company: CompanyOption = "",
    delimiter: Delimiter = "",
    comment: Comment = "%",
    local: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Check on this machine. Sends nothing and needs no login."),
    ] = False,
    encoding: Encoding = "",
    country: CountryOption = "",
    output: Output = None,
    profile: ProfileName = "",
) -> int:
    """Check a file without changing anything."""
    reading = files.Reading(file, company, delimiter, comment, encoding, country)
    found = files.read_locally(reading) if local else event_loop.run(files.check(reading, profile))
    return files.report_check(found, format_or_default(output))


@app.command(name="import", help=IMPORT_HELP)
def import_file(
    file: File,
    /,
    *,
    company: CompanyOption = "",
    delimiter: Delimiter = "",
    comment: Comment = "%",
    encoding: Encoding = "",
    country: CountryOption = "",
    passwords: Annotated[
        Path | None,
        Parameter(
            name="--passwords",
            show_default=False,
            help="File to write, with a password for each new user without one. Only you can read it.",
        ),
    ] = None,
    accept_doubtful: Annotated[
        bool,
        Parameter(
            name="--accept-doubtful",
            negative="",
            show_default=False,
            help="Take the suggestions of doubtful rows. Without it these rows are left over.",
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        Parameter(name="--dry-run", negative="", show_default=False, help="Show what would be sent; send nothing."),
    ] = False,
    yes: Annotated[
        bool, Parameter(name="--yes", negative="", show_default=False, help="Delete users without confirmation.")
    ] = False,
    output: Output = None,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
) -> int:
    """Create, update and delete the users of a file."""
    reading = files.Reading(file, company, delimiter, comment, encoding, country, accept_doubtful)
    importing = files.import_users(
        reading, profile, passwords=passwords, dry_run=dry_run, confirmed=yes, read_only=read_only
    )
    return files.report_import(event_loop.run(importing), format_or_default(output))


@app.command(name="phones", help=PHONES_HELP)
def import_phones(
    file: Annotated[Path, Parameter(help="CSV or XLSX file whose first line names the columns.")],
    /,
    *,
    company: CompanyOption = "",
    system: Annotated[
        str, Parameter(name="--system", show_default=False, help="ID of the CloudPBX, where the company has several.")
    ] = "",
    passwords: Annotated[
        Path | None,
        Parameter(
            name="--passwords",
            show_default=False,
            help="File to write, with the SIP password of each new extension. Only you can read it.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, Parameter(name="--dry-run", negative="", show_default=False, help="Check only; send nothing.")
    ] = False,
    output: Output = None,
    profile: ProfileName = "",
) -> int:
    """Give users extension, DDI number and device as a file says."""
    giving = phones.give(file, profile, company=company, system=system, passwords=passwords, dry_run=dry_run)
    return phones.report(event_loop.run(giving), format_or_default(output))
