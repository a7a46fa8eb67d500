"""Events with ids, whose numbers are never used twice, the sessions that they are sent to, and users by address."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    _add_ids()
    # Nothing read the log before.
    op.drop_table("event_log")
    _create_log(sqlite_autoincrement=True)
    op.create_index("ix_event_log_created", "event_log", ["created"], unique=False)
    op.create_table(
        "event_sessions",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("user_id", TEXT, nullable=False),
        sa.Column("resource", TEXT, nullable=False),
        sa.Column("process", TEXT, nullable=False),
        sa.Column("acknowledged", sa.Integer(), nullable=True),
        sa.Column("seen", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id", "resource"),
    )
    op.create_index("ix_event_sessions_process", "event_sessions", ["process"], unique=False)
    op.add_column("users", sa.Column("jid_im", TEXT, nullable=True))
    _fill_addresses()
    op.create_index("ix_users_jid_im", "users", ["jid_im", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_users_jid_im", table_name="users")
    op.drop_column("users", "jid_im")
    op.drop_table("event_sessions")
    op.drop_table("event_log")
    _create_log(sqlite_autoincrement=False)


def _create_log(*, sqlite_autoincrement: bool) -> None:
    op.create_table(
        "event_log",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("user_id", TEXT, nullable=False),
        sa.Column("created", TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
        sqlite_autoincrement=sqlite_autoincrement,
    )
    op.create_index("ix_event_log_user", "event_log", ["user_id", "number"], unique=False)


def _add_ids() -> None:
    """Events that wait for their delivery."""
    outbox = sa.table("outbox", sa.column("number"), sa.column("document", sa.JSON))
    connection = op.get_bind()
    for number, document in connection.execute(sa.select(outbox.c.number, outbox.c.document)).all():
        changed = {"id": secrets.token_hex(12), **document}
        connection.execute(outbox.update().where(outbox.c.number == number).values(document=changed))


def _fill_addresses() -> None:
    """Users that are there already."""
    users = sa.table("users", sa.column("id"), sa.column("document", sa.JSON), sa.column("jid_im", sa.String))
    connection = op.get_bind()
    for id, document in connection.execute(sa.select(users.c.id, users.c.document)).all():
        if address := document.get("jid_im"):
            connection.execute(users.update().where(users.c.id == id).values(jid_im=str(address).casefold()))
