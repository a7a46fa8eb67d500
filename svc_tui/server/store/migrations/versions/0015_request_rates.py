"""Counts of logins and similar requests, for their rate limits."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "request_rates",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("minute", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index("ix_request_rates_minute", "request_rates", ["minute"])


def downgrade() -> None:
    op.drop_table("request_rates")
