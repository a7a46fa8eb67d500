"""Signing keys, which were files of each machine."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "signing_keys",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("purpose", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_signing_keys_purpose", "signing_keys", ["purpose", "id"], unique=False)


def downgrade() -> None:
    op.drop_table("signing_keys")
