"""Checks, imports and their reports: of CSV files for a company, for a personal directory, and by a command (4.9)."""

from __future__ import annotations

from typing import Literal

from svc_tui.interface.directory.reports import (
    CheckResult,
    CommandReport,
    CommandReportBody,
    ImportReport,
    ImportStatus,
)
from svc_tui.interface.directory.values import COMMENT, PERSONAL, WRITE_COMPANY
from svc_tui.interface.envelopes import Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import CSV, Operation
from svc_tui.interface.records import Record

__all__ = [
    "CommandCheckQuery",
    "CompanyCheckQuery",
    "CompanyImportQuery",
    "CsvQuery",
    "ExportQuery",
    "Exported",
    "PersonalImportQuery",
    "SynchronizeQuery",
    "check_company_directory_csv",
    "check_directory_csv",
    "check_personal_directory_csv",
    "export_directory_synchronized",
    "import_directory_csv",
    "import_directory_csv_synchronize",
    "import_personal_directory_csv",
    "LdapQuery",
    "create_command_report",
    "delete_company_import_report",
    "delete_personal_import_report",
    "get_command_check_report",
    "get_command_import_report",
    "get_company_import_details",
    "get_company_import_report",
    "get_company_import_status",
    "get_personal_import_details",
    "get_personal_import_report",
    "get_personal_import_status",
]


#: Longest name of a configuration, in characters; it is part of the identifier of its report.
LONGEST_CONFIG = 255

_DELIMITER = field(None, min_length=1, max_length=1, help="Character between the values; empty detects it")
_COMMENT = field(COMMENT, max_length=1, help="Character that begins a comment, up to the end of the line")


class CsvQuery(Record):
    """The format of a CSV file."""

    delimiter: str | None = _DELIMITER
    comment: str = _COMMENT


class CommandCheckQuery(CsvQuery):
    """The check of a command's file."""

    command_id: str | None = field(None, help="Command of the check; its initiator is notified at the end")


class CompanyCheckQuery(CsvQuery):
    """The check of a company's file."""

    company_id: str = field(..., refers="companies", help="Company whose directory is checked")


class CompanyImportQuery(CsvQuery):
    """The import into the directory of a company."""

    company_id: str | None = field(None, refers="companies", help="Company of the directory; empty for your own")
    label: str | None = field(None, max_length=255, help="Name of this import")


class PersonalImportQuery(CsvQuery):
    """The import into the caller's personal directory."""

    label: str | None = field(None, max_length=255, help="Name of this import")


class SynchronizeQuery(CsvQuery):
    """The import of a command: each row has an action for its entry."""

    command_id: str | None = field(None, help="Command whose report contains the result")
    label: str = field("none", max_length=255, help="Name of this import")
    ldap_config_id: str | None = field(
        None, max_length=LONGEST_CONFIG, help="LDAP configuration of the source directory"
    )


class ExportQuery(Record):
    """The entries of an export, and its format."""

    company_id: str | None = field(None, refers="companies", help="Company of the directory; empty for your own")
    format: Literal["json", "csv", "all"] = field("json")
    ldap_id: bool = field(True, wire="ldap_id", help="Only entries that are synchronised from another directory")


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
    Code.TOO_MANY_REQUESTS,
)
_DIRECTORIES = "/api/svc/massprovisioning/v1.0/directories"
IMPORTS = _DIRECTORIES + "/imports"

check_directory_csv = Operation(
    "check_directory_csv",
    "4.9",
    "POST",
    IMPORTS + "/synchronize/check",
    "Check the file of a command without changes",
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
    "Import a file, which replaces the directory of a company",
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
    "Import the file of a command; each row creates, updates or deletes an entry",
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
    "Check a file for the directory of a company without changes",
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
    "Check a file for the caller's personal directory without changes",
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
    "Import a file, which replaces the caller's personal directory",
    Single[ImportReport],
    PERSONAL,
    query=PersonalImportQuery,
    takes=CSV,
    refuses=_FILE,
)


class Exported(Record):
    """Exported entries: records, CSV, or both."""

    data: object = field(None, personal=True)


export_directory_synchronized = Operation(
    "export_directory_synchronized",
    "4.9",
    "GET",
    _DIRECTORIES + "/synchronize",
    "Export the entries of a directory as records or CSV",
    Exported,
    WRITE_COMPANY,
    query=ExportQuery,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND),
)


class LdapQuery(Record):
    """The LDAP configuration of the import, for a company with several."""

    ldap_config_id: str | None = field(
        None, max_length=LONGEST_CONFIG, help="LDAP configuration of the source directory"
    )


_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)

get_company_import_status = Operation(
    "get_company_import_status",
    "4.9",
    "GET",
    IMPORTS + "/{companyId}",
    "Get the progress of the last import of a company",
    Single[ImportStatus],
    WRITE_COMPANY,
    query=LdapQuery,
    refuses=_REFUSALS,
)

get_company_import_report = Operation(
    "get_company_import_report",
    "4.9",
    "GET",
    IMPORTS + "/{companyId}/report",
    "Get the report of the last import of a company",
    Single[ImportReport],
    WRITE_COMPANY,
    query=LdapQuery,
    refuses=_REFUSALS,
)

get_company_import_details = Operation(
    "get_company_import_details",
    "4.9",
    "GET",
    IMPORTS + "/{companyId}/details",
    "Get the result of each row of the last import of a company",
    Single[ImportReport],
    WRITE_COMPANY,
    query=LdapQuery,
    refuses=_REFUSALS,
)

delete_company_import_report = Operation(
    "delete_company_import_report",
    "4.9",
    "DELETE",
    IMPORTS + "/{companyId}/report",
    "Delete the report of the last import of a company",
    Single[ImportReport],
    WRITE_COMPANY,
    query=LdapQuery,
    refuses=_REFUSALS,
)

get_personal_import_status = Operation(
    "get_personal_import_status",
    "4.9",
    "GET",
    IMPORTS + "/personal",
    "Get the progress of the caller's last personal import",
    Single[ImportStatus],
    PERSONAL,
    refuses=_REFUSALS,
)

get_personal_import_report = Operation(
    "get_personal_import_report",
    "4.9",
    "GET",
    IMPORTS + "/personal/report",
    "Get the report of the caller's last personal import",
    Single[ImportReport],
    PERSONAL,
    refuses=_REFUSALS,
)

get_personal_import_details = Operation(
    "get_personal_import_details",
    "4.9",
    "GET",
    IMPORTS + "/personal/details",
    "Get the result of each row of the caller's last personal import",
    Single[ImportReport],
    PERSONAL,
    refuses=_REFUSALS,
)

delete_personal_import_report = Operation(
    "delete_personal_import_report",
    "4.9",
    "DELETE",
    IMPORTS + "/personal/report",
    "Delete the report of the caller's last personal import",
    Single[ImportReport],
    PERSONAL,
    refuses=_REFUSALS,
)

get_command_check_report = Operation(
    "get_command_check_report",
    "4.9",
    "GET",
    IMPORTS + "/synchronize/check/{commandId:path}/report",
    "Get the report of the check of a command",
    CommandReport,
    WRITE_COMPANY,
    refuses=_REFUSALS,
)

get_command_import_report = Operation(
    "get_command_import_report",
    "4.9",
    "GET",
    IMPORTS + "/synchronize/{commandId:path}/report",
    "Get the report of the import of a command",
    CommandReport,
    WRITE_COMPANY,
    refuses=_REFUSALS,
)

create_command_report = Operation(
    "create_command_report",
    "4.9",
    "POST",
    IMPORTS + "/synchronize/{commandId:path}/report",
    "Create the report of a command",
    CommandReport,
    WRITE_COMPANY,
    body=CommandReportBody,
    refuses=_REFUSALS,
)
