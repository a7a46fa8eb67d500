"""Indexes for the recordings of one subscriber within a CloudPBX or company."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_WITHIN = ("system_id", "company_id")


def upgrade() -> None:
    for column in _WITHIN:
        name = f"ix_recordings_{column}_phone_number_id"
        op.create_index(name, "recordings", [column, "phone_number_id", "date", "id"])


def downgrade() -> None:
    for column in _WITHIN:
        op.drop_index(f"ix_recordings_{column}_phone_number_id", table_name="recordings")
