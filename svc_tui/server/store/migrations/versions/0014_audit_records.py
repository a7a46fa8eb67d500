"""The audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
COLUMNS = ("date", "company_id", "record_id", "user_id", "operation", "outcome", "kind", "user_company_id")


def upgrade() -> None:
    op.create_table(
        "audit_records",
        sa.Column("id", TEXT, nullable=False),
        *(sa.Column(name, TEXT, nullable=True) for name in COLUMNS),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for name in COLUMNS:
        ordered = [name, "id"] if name == "date" else [name, "date", "id"]
        op.create_index(f"ix_audit_records_{name}", "audit_records", ordered)


def downgrade() -> None:
    op.drop_table("audit_records")
