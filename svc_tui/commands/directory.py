"""`svc-tui directory`: files of a directory checked and imported without the console."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from svc_tui.commands.options import ProfileName, ReadOnly
from svc_tui.commands.output import Format

app = App(name="directory", version_flags=[], help_epilogue="", help="Directory files: checked and imported.")

File = Annotated[Path, Parameter(help="The CSV file; its first line names the columns.")]
Company = Annotated[
    str,
    Parameter(name="--company", show_default=False, help="Id of the company whose directory it is; default: yours."),
]
Personal = Annotated[
    bool, Parameter(name="--personal", negative="", show_default=False, help="It is for your own, personal directory.")
]
Command = Annotated[
    str,
    Parameter(name="--command", show_default=False, help="Id of a command: each row says what becomes of its entry."),
]
Delimiter = Annotated[
    str, Parameter(name="--delimiter", show_default=False, help="Between the values; default: it is recognised.")
]
Comment = Annotated[str, Parameter(name="--comment", help="Begins a comment; an empty text: nothing does.")]
Output = Annotated[Format | None, Parameter(name="--output", help="Default: table on a terminal, otherwise json.")]


@app.command
def check(
    file: File,
    /,
    *,
    company: Company = "",
    personal: Personal = False,
    command: Command = "",
    delimiter: Delimiter = "",
    comment: Comment = "%",
    local: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Check it on this machine; nothing is sent, nobody logs in."),
    ] = False,
    country: Annotated[
        str,
        Parameter(show_default=False, help="With --local: the company's country, for numbers without one (PRT)."),
    ] = "",
    output: Output = None,
    profile: ProfileName = "",
) -> int:
    """Check a file; nothing is changed. Exit code 1 when a row is wrong.

    For example: svc-tui directory check contacts.csv --local --country PRT
    """
    from svc_tui.commands import directory_files as files
    from svc_tui.commands.exits import WrongUsage

    if country and not local:
        raise WrongUsage("--country belongs to --local: the service knows the country of the company itself.")
    wanted = files.wanted(file, company, personal, command, delimiter, comment)
    result = files.checked_here(wanted, country) if local else asyncio.run(files.checked_there(wanted, profile))
    return files.tell_check(result, files.format_of(output))


@app.command(name="import")
def import_file(
    file: File,
    /,
    *,
    company: Company = "",
    personal: Personal = False,
    command: Command = "",
    delimiter: Delimiter = "",
    comment: Comment = "%",
    label: Annotated[
        str, Parameter(show_default=False, help="A name for this import; default: that of the file.")
    ] = "",
    output: Output = None,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
    yes: Annotated[
        bool, Parameter(name="--yes", negative="", show_default=False, help="Do not ask before it is replaced.")
    ] = False,
) -> int:
    """Import a file and wait for its end. Exit code 1 when a row failed.

    Without --command the whole directory is replaced; with --command each row says what becomes of its entry.
    On a terminal it asks before it replaces a directory that has entries; without one a file that holds a part
    of a directory needs --yes.

    For example: svc-tui directory import contacts.csv --company 5f3c… --output json
    """
    from svc_tui.commands import directory_files as files

    wanted = files.wanted(file, company, personal, command, delimiter, comment)
    report, before = asyncio.run(files.imported(wanted, label or file.name, profile, read_only=read_only, agreed=yes))
    return files.tell_import(report, files.format_of(output), before)
