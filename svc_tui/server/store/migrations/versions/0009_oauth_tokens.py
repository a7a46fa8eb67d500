"""OAuth tokens, each a grant of a user to an application."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_INDEXED = ("user_id", "app_id", "app_name", "creation_date", "expires")


def upgrade() -> None:
    op.create_table(
        "oauth_tokens",
        sa.Column("id", TEXT, nullable=False),
        *(sa.Column(name, TEXT, nullable=True) for name in (*_INDEXED, "refresh_hash")),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for name in _INDEXED:
        op.create_index(f"ix_oauth_tokens_{name}", "oauth_tokens", [name, "id"], unique=False)
    op.create_index("ix_oauth_tokens_refresh_hash", "oauth_tokens", ["refresh_hash"], unique=True)


def downgrade() -> None:
    op.drop_table("oauth_tokens")
