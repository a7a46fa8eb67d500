"""Indexes for filters by a part of a text on SQLite. On PostgreSQL each start creates those that are missing."""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_INDEXES = (
    ("directory_entries", "directory", "directory last_name first_name id type search"),
    ("recordings", "company_id", "company_id date id recorded_name recorded_number other_number"),
    ("recordings", "system_id", "system_id date id recorded_name recorded_number other_number"),
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table, name, columns in _INDEXES:
            op.create_index(f"tx_{table}_{name}", table, columns.split())


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table, name, _ in _INDEXES:
            op.drop_index(f"tx_{table}_{name}", table_name=table)
