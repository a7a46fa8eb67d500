"""The audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
COLUMNS = ("date", "company_id", "record_id", "user_id", "operation", "outcome", "kind", "user_company_id")
INDEXED = ("company_id", "record_id", "user_id", "operation", "outcome")


def upgrade() -> None:
    op.create_table(
        "audit_records",
        sa.Column("id", TEXT, nullable=False),
        *(sa.Column(name, TEXT, nullable=True) for name in COLUMNS),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_audit_records_date_id", "audit_records", ["date", "id"])
    for name in INDEXED:
        op.create_index(f"ix_audit_records_{name}_date", "audit_records", [name, "date", "id"])


def downgrade() -> None:
    op.drop_table("audit_records")
