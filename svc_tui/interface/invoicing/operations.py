"""Operations on invoicing files (4.9)."""

from __future__ import annotations

from svc_tui.interface.access import ADMIN_TYPES, Role, access
from svc_tui.interface.errors import Code
from svc_tui.interface.invoicing.records import InvoiceFile, InvoiceFileQuery
from svc_tui.interface.operations import Operation

#: `admin` in the specification: any of the three administrator types, for their own company.
READ_FILES = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_FINANCE, *sorted(ADMIN_TYPES)),
    organisation=(Role.ORGANIZATION_ADMIN,),
)

_ALL = "/api/svc/invoicing/v1.0/invoices"

list_invoice_files = Operation(
    "list_invoice_files",
    "4.9",
    "GET",
    _ALL,
    "List invoicing files",
    list[InvoiceFile],
    READ_FILES,
    query=InvoiceFileQuery,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND),
)

download_invoice_file = Operation(
    "download_invoice_file",
    "4.9",
    "GET",
    _ALL + "/{invoicePath:path}",
    "Download an invoicing file as CSV",
    bytes,
    READ_FILES,
    gives=("text/csv",),
    refuses=(Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND),
)

__all__ = ["download_invoice_file", "list_invoice_files"]
