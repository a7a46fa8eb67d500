"""Subscriptions by the moment at which they end or are renewed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("subscriptions", sa.Column("expiration_date", TEXT, nullable=True))
    _fill()
    op.create_index("ix_subscriptions_expiration_date", "subscriptions", ["expiration_date", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_subscriptions_expiration_date", table_name="subscriptions")
    op.drop_column("subscriptions", "expiration_date")


def _fill() -> None:
    """Subscriptions that are there already."""
    known = sa.table(
        "subscriptions", sa.column("id"), sa.column("document", sa.JSON), sa.column("expiration_date", sa.String)
    )
    connection = op.get_bind()
    for id, document in connection.execute(sa.select(known.c.id, known.c.document)).all():
        if ends := document.get("expirationDate"):
            connection.execute(known.update().where(known.c.id == id).values(expiration_date=str(ends)))
