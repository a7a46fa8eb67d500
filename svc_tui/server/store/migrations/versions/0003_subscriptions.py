"""Synchronising subscriptions, users by the licences they hold, invoices and the files of the invoicing."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")

_INVOICES = ("company_id", "updated_date", "invoice_files")
_FILES = ("company_id", "billing_period", "invoice_type", "file_type", "bp_type", "invoice_creation_date")


def upgrade() -> None:
    op.create_table(
        "invoices",
        sa.Column("id", TEXT, nullable=False),
        *(sa.Column(column, TEXT, nullable=True) for column in _INVOICES),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in _INVOICES:
        op.create_index(f"ix_invoices_{column}", "invoices", [column, "id"], unique=False)
    op.create_table(
        "invoice_files",
        sa.Column("id", TEXT, nullable=False),
        *(sa.Column(column, TEXT, nullable=True) for column in (*_FILES, "filepath")),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in _FILES:
        op.create_index(f"ix_invoice_files_{column}", "invoice_files", [column, "id"], unique=False)
    op.create_index("ix_invoice_files_filepath", "invoice_files", ["filepath"], unique=True)
    op.create_table(
        "invoice_lines",
        sa.Column("file_id", TEXT, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("file_id", "number"),
    )
    op.add_column("subscriptions", sa.Column("sync_due", TEXT, nullable=True))
    op.create_index("ix_subscriptions_sync_due", "subscriptions", ["sync_due", "id"], unique=False)
    op.add_column("users", sa.Column("profiles", TEXT, nullable=True))
    _fill()
    op.create_index("ix_users_profiles", "users", ["profiles", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_users_profiles", table_name="users")
    op.drop_column("users", "profiles")
    op.drop_index("ix_subscriptions_sync_due", table_name="subscriptions")
    op.drop_column("subscriptions", "sync_due")
    for table in ("invoice_lines", "invoice_files", "invoices"):
        op.drop_table(table)


def _fill() -> None:
    """Users who are there already: which subscriptions the licences that they hold are of."""
    users = sa.table("users", sa.column("id"), sa.column("document", sa.JSON), sa.column("profiles"))
    connection = op.get_bind()
    for id, document in connection.execute(sa.select(users.c.id, users.c.document)).all():
        held = [one["subscriptionId"] for one in document.get("profiles") or () if one.get("subscriptionId")]
        if held:
            connection.execute(users.update().where(users.c.id == id).values(profiles=f",{','.join(held)},"))
