"""Directories, reports on imports, statistics and usage counters."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "daily_stats",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_daily_stats_company_id_date", "daily_stats", ["company_id", "date"], unique=False)
    op.create_table(
        "directories",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("user_id", TEXT, nullable=True),
        sa.Column("live", sa.Boolean(), nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_directories_company_id", "directories", ["company_id", "id"], unique=False)
    op.create_index("ix_directories_live", "directories", ["live", "id"], unique=False)
    op.create_index("ix_directories_user_id", "directories", ["user_id", "id"], unique=False)
    op.create_table(
        "directory_entries",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("directory", TEXT, nullable=True),
        sa.Column("last_name", TEXT, nullable=True),
        sa.Column("first_name", TEXT, nullable=True),
        sa.Column("company_name", TEXT, nullable=True),
        sa.Column("type", TEXT, nullable=True),
        sa.Column("ldap_id", TEXT, nullable=True),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("numbers", TEXT, nullable=True),
        sa.Column("tags", TEXT, nullable=True),
        sa.Column("search", TEXT, nullable=True),
        sa.Column("creation_date", TEXT, nullable=True),
        sa.Column("last_update_date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_directory_entries_directory_last_name", "directory_entries", ["directory", "last_name", "id"], unique=False
    )
    op.create_index(
        "ix_directory_entries_directory_ldap_id", "directory_entries", ["directory", "ldap_id"], unique=False
    )
    op.create_table(
        "import_reports",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=True),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_import_reports_company_id", "import_reports", ["company_id", "id"], unique=False)
    op.create_index("ix_import_reports_state", "import_reports", ["state", "id"], unique=False)
    op.create_table(
        "imported_rows",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("report", TEXT, nullable=True),
        sa.Column("status", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_imported_rows_report", "imported_rows", ["report", "id"], unique=False)
    op.create_index("ix_imported_rows_status", "imported_rows", ["status", "id"], unique=False)
    op.create_table(
        "usage_counters",
        sa.Column("application_id", TEXT, nullable=False),
        sa.Column("hour", TEXT, nullable=False),
        sa.Column("group_name", TEXT, nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("application_id", "hour", "group_name"),
    )
    op.create_index("ix_usage_counters_hour", "usage_counters", ["hour"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_usage_counters_hour", table_name="usage_counters")
    op.drop_table("usage_counters")
    op.drop_index("ix_imported_rows_status", table_name="imported_rows")
    op.drop_index("ix_imported_rows_report", table_name="imported_rows")
    op.drop_table("imported_rows")
    op.drop_index("ix_import_reports_state", table_name="import_reports")
    op.drop_index("ix_import_reports_company_id", table_name="import_reports")
    op.drop_table("import_reports")
    op.drop_index("ix_directory_entries_directory_ldap_id", table_name="directory_entries")
    op.drop_index("ix_directory_entries_directory_last_name", table_name="directory_entries")
    op.drop_table("directory_entries")
    op.drop_index("ix_directories_user_id", table_name="directories")
    op.drop_index("ix_directories_live", table_name="directories")
    op.drop_index("ix_directories_company_id", table_name="directories")
    op.drop_table("directories")
    op.drop_index("ix_daily_stats_company_id_date", table_name="daily_stats")
    op.drop_table("daily_stats")
