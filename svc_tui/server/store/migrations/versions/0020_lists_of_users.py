"""Indexes in which users are counted, filtered and skipped, and the audit records of a company in three more orders."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_ORDERS = {"company_id": "company_id display_name id", "display_name": "display_name id"}
_FILTERED = "roles admin_type is_terminated"
_TEXTS = "login_email company_name"
_AUDITED = ("operation", "outcome", "kind")


def upgrade() -> None:
    for name, columns in _ORDERS.items():
        op.drop_index(f"ix_users_{name}", table_name="users")
        op.create_index(f"ix_users_{name}", "users", f"{columns} {_FILTERED}".split())
        if op.get_bind().dialect.name == "sqlite":
            op.create_index(f"tx_users_{name}", "users", f"{columns} {_FILTERED} {_TEXTS}".split())
    for name in _AUDITED:
        op.create_index(f"ix_audit_records_company_id_{name}", "audit_records", ["company_id", name, "date", "id"])


def downgrade() -> None:
    for name in _AUDITED:
        op.drop_index(f"ix_audit_records_company_id_{name}", table_name="audit_records")
    for name, columns in _ORDERS.items():
        if op.get_bind().dialect.name == "sqlite":
            op.drop_index(f"tx_users_{name}", table_name="users")
        op.drop_index(f"ix_users_{name}", table_name="users")
        op.create_index(f"ix_users_{name}", "users", columns.split())
