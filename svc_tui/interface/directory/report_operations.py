"""Operations on the reports of checks and imports: of a company, a personal directory or a command (4.9)."""

from __future__ import annotations

from svc_tui.interface.directory.access import PERSONAL, WRITE_COMPANY
from svc_tui.interface.directory.import_operations import IMPORTS, LONGEST_CONFIG
from svc_tui.interface.directory.reports import CommandReport, CommandReportBody, ImportReport, ImportStatus
from svc_tui.interface.envelopes import Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record


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

__all__ = [
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
