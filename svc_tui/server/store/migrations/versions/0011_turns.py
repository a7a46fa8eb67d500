"""Turns of background jobs, and the start of an import as a column."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "turns",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("due", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.add_column("import_reports", sa.Column("start_time", TEXT, nullable=True))
    _fill()
    op.create_index("ix_import_reports_start_time", "import_reports", ["start_time", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_import_reports_start_time", table_name="import_reports")
    op.drop_column("import_reports", "start_time")
    op.drop_table("turns")


def _fill() -> None:
    """Reports that are there already."""
    known = sa.table(
        "import_reports", sa.column("id"), sa.column("document", sa.JSON), sa.column("start_time", sa.String)
    )
    connection = op.get_bind()
    for id, document in connection.execute(sa.select(known.c.id, known.c.document)).all():
        if started := document.get("startTime"):
            connection.execute(known.update().where(known.c.id == id).values(start_time=str(started)))
