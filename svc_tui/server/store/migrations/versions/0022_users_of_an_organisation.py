"""The users of an organisation or site are counted in an index, as those of a company."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_PLACES = ("organisation_id", "site_id")
_FILTERED = ("roles", "admin_type", "is_terminated")


def upgrade() -> None:
    _replace(*_FILTERED)


def downgrade() -> None:
    _replace()


def _replace(*more: str) -> None:
    for place in _PLACES:
        op.drop_index(f"ix_users_{place}", table_name="users")
        op.create_index(f"ix_users_{place}", "users", [place, "display_name", "id", *more])
