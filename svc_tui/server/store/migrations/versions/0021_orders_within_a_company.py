"""Indexes for lists of one company or CloudPBX in every order that they can have."""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

#: Tables, what their lists are of, the order of these lists, and the other columns that they are sorted by.
_ORDERS = (
    (
        "users",
        "company_id",
        "display_name",
        "authentication_external_uid jid_im organisation_id site_id roles admin_type is_active profiles",
    ),
    ("subscribers", "system_id", "short_number", "user_id pbx_user_id is_monitored"),
    ("ddis", "system_id", "number", "number_e164 user_id ivr_id group_id voice_auto_attendant_id"),
    ("devices", "system_id", "description", "company_id phone_number_id user_id"),
    ("recordings", "system_id", "date", "company_id"),
    ("recordings", "company_id", "date", "system_id"),
)


def upgrade() -> None:
    for table, within, order, columns in _ORDERS:
        for column in columns.split():
            op.create_index(f"ix_{table}_{within}_{column}", table, [within, column, order, "id"])


def downgrade() -> None:
    for table, within, _, columns in _ORDERS:
        for column in columns.split():
            op.drop_index(f"ix_{table}_{within}_{column}", table_name=table)
