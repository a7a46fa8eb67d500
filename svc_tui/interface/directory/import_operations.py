"""Checks and imports of CSV files: for a company, for oneself, and by a command (4.9)."""

from __future__ import annotations

from typing import Literal

from svc_tui.interface.directory.access import PERSONAL, WRITE_COMPANY
from svc_tui.interface.directory.reports import CheckResult, ImportReport
from svc_tui.interface.envelopes import Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import CSV, Operation
from svc_tui.interface.records import Record, field

#: Without another word this begins a comment.
COMMENT = "%"
#: Characters that the name of a configuration may have: it is part of what its report is known by.
LONGEST_CONFIG = 255

_DELIMITER = field(None, min_length=1, max_length=1, help="Between the values; without one it is recognised")
_COMMENT = field(COMMENT, max_length=1, help="What stands behind it is passed over, up to the end of the line")


class CsvQuery(Record):
    """How a CSV text is read."""

    delimiter: str | None = _DELIMITER
    comment: str = _COMMENT


class CommandCheckQuery(CsvQuery):
    """The check of a command's file."""

    command_id: str | None = field(None, help="The command; its initiator is told when the check is over")


class CompanyCheckQuery(CsvQuery):
    """The check of a company's file."""

    company_id: str = field(..., refers="companies", help="Whose directory it is meant for")


class CompanyImportQuery(CsvQuery):
    """The import into the directory of a company."""

    company_id: str | None = field(None, refers="companies", help="Whose directory; without one the caller's company")
    label: str | None = field(None, max_length=255, help="A name for this import")


class PersonalImportQuery(CsvQuery):
    """The import into one's own directory."""

    label: str | None = field(None, max_length=255, help="A name for this import")


class SynchronizeQuery(CsvQuery):
    """The import of a command: rows say what becomes of their entry."""

    command_id: str | None = field(None, help="The command whose report this becomes")
    label: str = field("none", max_length=255, help="A name for this import")
    ldap_config_id: str | None = field(
        None, max_length=LONGEST_CONFIG, help="Configuration of the directory it comes from"
    )


class ExportQuery(Record):
    """What is exported of a directory, and how."""

    company_id: str | None = field(None, refers="companies", help="Whose directory; without one the caller's company")
    format: Literal["json", "csv", "all"] = field("json")
    ldap_id: bool = field(True, wire="ldap_id", help="Only entries that are synchronised from elsewhere")


_FILE = (
    Code.VALIDATION,
    Code.ROLE_MISSING,
    Code.NOT_MANAGED,
    Code.NOT_FOUND,
    Code.BAD_FILE,
    Code.BAD_COLUMN,
    Code.BAD_ACTION,
    Code.NO_DATA,
    Code.TOO_LARGE,
)
_DIRECTORIES = "/api/svc/massprovisioning/v1.0/directories"
IMPORTS = _DIRECTORIES + "/imports"

check_directory_csv = Operation(
    "check_directory_csv",
    "4.9",
    "POST",
    IMPORTS + "/synchronize/check",
    "Check the file of a command: nothing is changed",
    Single[CheckResult],
    WRITE_COMPANY,
    query=CommandCheckQuery,
    takes=CSV,
    refuses=_FILE,
)

import_directory_csv = Operation(
    "import_directory_csv",
    "4.9",
    "POST",
    IMPORTS,
    "Import a file: an existing directory is replaced",
    Single[ImportReport],
    WRITE_COMPANY,
    query=CompanyImportQuery,
    takes=CSV,
    refuses=_FILE,
)

import_directory_csv_synchronize = Operation(
    "import_directory_csv_synchronize",
    "4.9",
    "POST",
    IMPORTS + "/synchronize",
    "Import the file of a command: each row deletes, updates or creates an entry",
    Single[ImportReport],
    WRITE_COMPANY,
    query=SynchronizeQuery,
    takes=CSV,
    refuses=_FILE,
)

check_company_directory_csv = Operation(
    "check_company_directory_csv",
    "4.9",
    "POST",
    IMPORTS + "/check",
    "Check a file for the directory of a company: nothing is changed",
    Single[CheckResult],
    WRITE_COMPANY,
    query=CompanyCheckQuery,
    takes=CSV,
    only_reads=True,
    refuses=_FILE,
)

check_personal_directory_csv = Operation(
    "check_personal_directory_csv",
    "4.9",
    "POST",
    IMPORTS + "/personal/check",
    "Check a file for one's own directory: nothing is changed",
    Single[CheckResult],
    PERSONAL,
    query=CsvQuery,
    takes=CSV,
    only_reads=True,
    refuses=_FILE,
)

import_personal_directory_csv = Operation(
    "import_personal_directory_csv",
    "4.9",
    "POST",
    IMPORTS + "/personal",
    "Import a file into one's own directory, which is replaced",
    Single[ImportReport],
    PERSONAL,
    query=PersonalImportQuery,
    takes=CSV,
    refuses=_FILE,
)


class Exported(Record):
    """Entries as records, as lines of CSV, or both."""

    data: object = field(None)


export_directory_synchronized = Operation(
    "export_directory_synchronized",
    "4.9",
    "GET",
    _DIRECTORIES + "/synchronize",
    "Everything in a directory, as records or as CSV",
    Exported,
    WRITE_COMPANY,
    query=ExportQuery,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND),
)

__all__ = [
    "check_company_directory_csv",
    "check_directory_csv",
    "check_personal_directory_csv",
    "export_directory_synchronized",
    "import_directory_csv",
    "import_directory_csv_synchronize",
    "import_personal_directory_csv",
]
