"""The domains of users, by which an unknown login is answered like those of its company, and built-in clients."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_ORDERS = (("login_domain", "company_id"), ("company_id", "login_domain"))


def upgrade() -> None:
    op.add_column("users", sa.Column("login_domain", TEXT, nullable=True))
    op.add_column("applications", sa.Column("is_svc_client_default", sa.Boolean(), nullable=True))
    _fill()
    for within, column in _ORDERS:
        op.create_index(f"ix_users_{within}_{column}", "users", [within, column, "display_name", "id"])
    columns = ["is_svc_client_default", "name", "id"]
    op.create_index("ix_applications_is_svc_client_default", "applications", columns)


def downgrade() -> None:
    op.drop_index("ix_applications_is_svc_client_default", table_name="applications")
    for within, column in _ORDERS:
        op.drop_index(f"ix_users_{within}_{column}", table_name="users")
    op.drop_column("applications", "is_svc_client_default")
    op.drop_column("users", "login_domain")


def _fill() -> None:
    """Records that are there already."""
    connection = op.get_bind()
    users = sa.table("users", sa.column("id"), sa.column("login_email"), sa.column("login_domain"))
    found = connection.execute(sa.select(users.c.id, users.c.login_email)).all()
    rows = [{"user": id, "domain": (login or "").partition("@")[2]} for id, login in found]
    if rows:
        own = users.c.id == sa.bindparam("user")
        connection.execute(users.update().where(own).values(login_domain=sa.bindparam("domain")), rows)
    applications = sa.table(
        "applications", sa.column("id"), sa.column("document", sa.JSON), sa.column("is_svc_client_default", sa.Boolean)
    )
    for id, document in connection.execute(sa.select(applications.c.id, applications.c.document)).all():
        if (built_in := document.get("isSvcClientDefault")) is not None:
            mark = applications.update().where(applications.c.id == id).values(is_svc_client_default=bool(built_in))
            connection.execute(mark)
