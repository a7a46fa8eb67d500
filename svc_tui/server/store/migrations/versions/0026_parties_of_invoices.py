"""Issued invoices have their own party and currency: those of their partner now, which later changes leave alone."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_INVOICED = ("DR", "VAD")
_PARTY = ("name", "street", "postalCode", "city", "country")
_CURRENCIES = {"USA": "USD", "CHN": "CNY"}


def upgrade() -> None:
    companies = sa.table("companies", sa.column("id"), sa.column("document", sa.JSON))
    invoices = sa.table("invoices", sa.column("id"), sa.column("company_id"), sa.column("document", sa.JSON))
    connection = op.get_bind()
    issued = sa.select(invoices.c.company_id).distinct()
    for (company,) in connection.execute(sa.select(companies.c.document).where(companies.c.id.in_(issued))).all():
        if company.get("bpType") not in _INVOICED:
            continue
        added = _added(company)
        own = sa.select(invoices.c.id, invoices.c.document).where(invoices.c.company_id == company["id"])
        for id, invoice in connection.execute(own).all():
            changed = invoices.update().where(invoices.c.id == id).values(document={**added, **invoice})
            connection.execute(changed)


def downgrade() -> None:
    """What the invoices have more is not read by earlier versions."""


def _added(company: dict[str, Any]) -> dict[str, Any]:
    currency = company.get("currency") or _CURRENCIES.get(str(company.get("country")), "EUR")
    return {"billTo": {wire: company[wire] for wire in _PARTY if company.get(wire)}, "currency": currency}
