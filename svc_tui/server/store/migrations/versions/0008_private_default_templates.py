"""The private default template of each standalone company."""

import secrets
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_TYPE = "private_default_company"
_RESERVED = ("default", "terminated")


def upgrade() -> None:
    companies = sa.table("companies", sa.column("document", sa.JSON))
    names = ("id", "name", "type", "visibility", "visible_by", "owned_by_company", "creation_date")
    templates = sa.table("templates", *(sa.column(name) for name in names), sa.column("document", sa.JSON))
    connection = op.get_bind()
    existing = sa.select(templates.c.owned_by_company).where(templates.c.type == _TYPE)
    owners = {row[0] for row in connection.execute(existing)}
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    rows = [
        _template(str(company["id"]), now)
        for (company,) in connection.execute(sa.select(companies.c.document))
        if _is_standalone(company) and company["id"] not in owners
    ]
    if rows:
        connection.execute(templates.insert(), rows)


def downgrade() -> None:
    """The templates stay: a company may have changed its template."""


def _is_standalone(company: dict[str, Any]) -> bool:
    reserved = str(company.get("name") or "").strip().casefold() in _RESERVED
    return not (company.get("bpId") or company.get("isBP") or reserved)


def _template(company_id: str, now: str) -> dict[str, Any]:
    # Keys of features that a template does not have are read with their defaults.
    document = {
        "id": secrets.token_hex(12),
        "name": "Default",
        "visibility": "private",
        "visibleBy": [],
        "type": _TYPE,
        "creationDate": now,
        "ownedByCompany": company_id,
    }
    columns = {
        "id": document["id"],
        "name": "default",
        "type": _TYPE,
        "visibility": "private",
        "visible_by": None,
        "owned_by_company": company_id,
        "creation_date": now,
    }
    return {**columns, "document": document}
