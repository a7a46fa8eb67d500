"""Invoices of the tests, and their PDF."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.companies.records import Company
from svc_tui.interface.subscriptions.invoices import Invoice
from svc_tui.interface.typed_access import typed
from svc_tui.server.documents.invoice import pdf_of

Document = dict[str, Any]
FILES = {"old": "f1" * 12, "new": "f2" * 12, "foreign": "f3" * 12, "later": "f4" * 12}


def item(**fields: Any) -> Document:
    """A line of an invoice."""
    known = {
        "id": "1e" * 12,
        "chargeName": "Licences",
        "chargeDescription": "Northwind Telecom: Business",
        "serviceStartDate": "2026-10-01",
        "serviceEndDate": "2026-10-31",
        "chargeAmount": 225.0,
        "taxAmount": 51.75,
        "quantity": 50,
        "unitOfMeasure": "User",
    }
    return {**known, **fields}


def invoice(key: str, company: str, updated: str, **fields: Any) -> Document:
    """An invoice of a company with one line."""
    known = {
        "id": FILES[key][::-1],
        "companyId": company,
        "updatedDate": f"{updated}T08:00:00.000Z",
        "accountNumber": "A-1088",
        "accountName": "Distributor",
        "invoiceNumber": f"INV-{key}",
        "invoiceDate": "2026-11-01",
        "dueDate": "2026-12-01",
        "invoiceTargetDate": "2026-10-31",
        "amount": 276.75,
        "balance": 0.0,
        "status": "Posted",
        "invoiceItems": [item()],
        "invoiceFiles": [{"id": FILES[key], "versionNumber": 1}],
    }
    return {**known, **fields}


def drawn(document: Document, company: Document, issuer: str = "Svc Operations") -> bytes:
    """The PDF of an invoice."""
    return pdf_of(typed(Invoice, document), typed(Company, company), issuer)
