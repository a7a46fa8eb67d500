"""The ID of a command is one of its company: another company can have the same."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
#: How the ID of a report began -> what its command begins with now.
_KINDS = {"command": "import", "check": "check"}


def upgrade() -> None:
    op.add_column("import_reports", sa.Column("command", _TEXT))
    op.create_index("ix_import_reports_command", "import_reports", ["command", "id"])
    reports, rows = _table("import_reports", "id", "command"), _table("imported_rows", "id", "report")
    connection = op.get_bind()
    found = connection.execute(sa.select(reports.c.id, reports.c.document)).all()
    for old, report in found:
        kind, colon, command = old.partition(":")
        if kind not in _KINDS or not colon or not report.get("companyId"):
            continue
        command = f"{_KINDS[kind]}:{command}"
        new = f"command:{report['companyId']}:{command}"
        document = {**report, "id": new, "command": command}
        changed = reports.update().where(reports.c.id == old)
        connection.execute(changed.values(id=new, command=command, document=document))
        for id, row in connection.execute(sa.select(rows.c.id, rows.c.document).where(rows.c.report == old)).all():
            place = new + id.removeprefix(old)
            values: dict[str, Any] = {"id": place, "report": new, "document": {**row, "id": place, "report": new}}
            connection.execute(rows.update().where(rows.c.id == id).values(**values))
        for id, name in found:
            if name.get("sameAs") == old:
                connection.execute(reports.update().where(reports.c.id == id).values(document={**name, "sameAs": new}))


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *(sa.column(each) for each in columns), sa.column("document", sa.JSON))


def downgrade() -> None:
    """Reports of commands are not found by an earlier version; the next ones are."""
    op.drop_index("ix_import_reports_command", table_name="import_reports")
    op.drop_column("import_reports", "command")
