"""The first tables: companies, users, applications, keys, second factors, client versions, tickets and events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("user_id", TEXT, nullable=True),
        sa.Column("description", TEXT, nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=True),
        sa.Column("creation_date", TEXT, nullable=True),
        sa.Column("last_update_date", TEXT, nullable=True),
        sa.Column("expiration_date", TEXT, nullable=True),
        sa.Column("login_email", TEXT, nullable=True),
        sa.Column("key_hash", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_api_keys_creation_date", "api_keys", ["creation_date", "id"], unique=False)
    op.create_index("ix_api_keys_description", "api_keys", ["description", "id"], unique=False)
    op.create_index("ix_api_keys_expiration_date", "api_keys", ["expiration_date", "id"], unique=False)
    op.create_index("ix_api_keys_is_active", "api_keys", ["is_active", "id"], unique=False)
    op.create_index("ix_api_keys_key_hash", "api_keys", ["key_hash"], unique=True)
    op.create_index("ix_api_keys_last_update_date", "api_keys", ["last_update_date", "id"], unique=False)
    op.create_index("ix_api_keys_login_email", "api_keys", ["login_email", "id"], unique=False)
    op.create_index("ix_api_keys_user_id", "api_keys", ["user_id", "id"], unique=False)
    op.create_table(
        "applications",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("owner_id", TEXT, nullable=True),
        sa.Column("state", TEXT, nullable=True),
        sa.Column("env", TEXT, nullable=True),
        sa.Column("type", TEXT, nullable=True),
        sa.Column("kpi", TEXT, nullable=True),
        sa.Column("activity", TEXT, nullable=True),
        sa.Column("origin", TEXT, nullable=True),
        sa.Column("date_of_creation", TEXT, nullable=True),
        sa.Column("date_of_deployment_request", TEXT, nullable=True),
        sa.Column("date_of_deployment", TEXT, nullable=True),
        sa.Column("date_of_last_token_when_renew", TEXT, nullable=True),
        sa.Column("subscription_status", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_applications_activity", "applications", ["activity", "id"], unique=False)
    op.create_index("ix_applications_date_of_creation", "applications", ["date_of_creation", "id"], unique=False)
    op.create_index("ix_applications_date_of_deployment", "applications", ["date_of_deployment", "id"], unique=False)
    op.create_index(
        "ix_applications_date_of_deployment_request", "applications", ["date_of_deployment_request", "id"], unique=False
    )
    op.create_index(
        "ix_applications_date_of_last_token_when_renew",
        "applications",
        ["date_of_last_token_when_renew", "id"],
        unique=False,
    )
    op.create_index("ix_applications_env", "applications", ["env", "id"], unique=False)
    op.create_index("ix_applications_kpi", "applications", ["kpi", "id"], unique=False)
    op.create_index("ix_applications_name", "applications", ["name", "id"], unique=False)
    op.create_index("ix_applications_origin", "applications", ["origin", "id"], unique=False)
    op.create_index("ix_applications_owner_id", "applications", ["owner_id", "id"], unique=False)
    op.create_index("ix_applications_state", "applications", ["state", "id"], unique=False)
    op.create_index("ix_applications_subscription_status", "applications", ["subscription_status", "id"], unique=False)
    op.create_index("ix_applications_type", "applications", ["type", "id"], unique=False)
    op.create_table(
        "client_versions",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("type", TEXT, nullable=True),
        sa.Column("version", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_client_versions_name", "client_versions", ["name", "id"], unique=False)
    op.create_index("ix_client_versions_type", "client_versions", ["type", "id"], unique=False)
    op.create_index("ix_client_versions_version", "client_versions", ["version", "id"], unique=False)
    op.create_table(
        "companies",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("bp_id", TEXT, nullable=True),
        sa.Column("organisation_id", TEXT, nullable=True),
        sa.Column("status", TEXT, nullable=True),
        sa.Column("is_bp", sa.Boolean(), nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_companies_bp_id", "companies", ["bp_id", "id"], unique=False)
    op.create_index("ix_companies_is_bp", "companies", ["is_bp", "id"], unique=False)
    op.create_index("ix_companies_name", "companies", ["name", "id"], unique=False)
    op.create_index("ix_companies_organisation_id", "companies", ["organisation_id", "id"], unique=False)
    op.create_index("ix_companies_status", "companies", ["status", "id"], unique=False)
    op.create_table(
        "event_log",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("user_id", TEXT, nullable=False),
        sa.Column("created", TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("ix_event_log_user", "event_log", ["user_id", "number"], unique=False)
    op.create_table(
        "identity_providers",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("type", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_identity_providers_company_id", "identity_providers", ["company_id", "id"], unique=False)
    op.create_index("ix_identity_providers_type", "identity_providers", ["type", "id"], unique=False)
    op.create_table(
        "login_guards",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("until", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_login_guards_until", "login_guards", ["until", "id"], unique=False)
    op.create_table(
        "mfa_settings",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("mfa_name", TEXT, nullable=True),
        sa.Column("enabled_for_all_company_users", sa.Boolean(), nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_mfa_settings_company_id", "mfa_settings", ["company_id", "id"], unique=False)
    op.create_index(
        "ix_mfa_settings_enabled_for_all_company_users",
        "mfa_settings",
        ["enabled_for_all_company_users", "id"],
        unique=False,
    )
    op.create_index("ix_mfa_settings_mfa_name", "mfa_settings", ["mfa_name", "id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("created", TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_table(
        "tickets",
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("expires", TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "id"),
    )
    op.create_index("ix_tickets_expires", "tickets", ["expires"], unique=False)
    op.create_table(
        "trusted_applications",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("user_id", TEXT, nullable=True),
        sa.Column("app_id", TEXT, nullable=True),
        sa.Column("until", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_trusted_applications_app_id", "trusted_applications", ["app_id", "id"], unique=False)
    op.create_index("ix_trusted_applications_until", "trusted_applications", ["until", "id"], unique=False)
    op.create_index("ix_trusted_applications_user_id", "trusted_applications", ["user_id", "id"], unique=False)
    op.create_table(
        "user_secrets",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "users",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("login_email", TEXT, nullable=True),
        sa.Column("authentication_external_uid", TEXT, nullable=True),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("organisation_id", TEXT, nullable=True),
        sa.Column("site_id", TEXT, nullable=True),
        sa.Column("roles", TEXT, nullable=True),
        sa.Column("admin_type", TEXT, nullable=True),
        sa.Column("display_name", TEXT, nullable=True),
        sa.Column("first_name", TEXT, nullable=True),
        sa.Column("last_name", TEXT, nullable=True),
        sa.Column("company_name", TEXT, nullable=True),
        sa.Column("is_terminated", sa.Boolean(), nullable=True),
        sa.Column("is_active", sa.Boolean(), nullable=True),
        sa.Column("creation_date", TEXT, nullable=True),
        sa.Column("last_login_date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_users_admin_type", "users", ["admin_type", "id"], unique=False)
    op.create_index(
        "ix_users_authentication_external_uid", "users", ["authentication_external_uid", "id"], unique=False
    )
    op.create_index("ix_users_company_id", "users", ["company_id", "id"], unique=False)
    op.create_index("ix_users_company_name", "users", ["company_name", "id"], unique=False)
    op.create_index("ix_users_creation_date", "users", ["creation_date", "id"], unique=False)
    op.create_index("ix_users_display_name", "users", ["display_name", "id"], unique=False)
    op.create_index("ix_users_first_name", "users", ["first_name", "id"], unique=False)
    op.create_index("ix_users_is_active", "users", ["is_active", "id"], unique=False)
    op.create_index("ix_users_is_terminated", "users", ["is_terminated", "id"], unique=False)
    op.create_index("ix_users_last_login_date", "users", ["last_login_date", "id"], unique=False)
    op.create_index("ix_users_last_name", "users", ["last_name", "id"], unique=False)
    op.create_index("ix_users_login_email", "users", ["login_email"], unique=True)
    op.create_index("ix_users_organisation_id", "users", ["organisation_id", "id"], unique=False)
    op.create_index("ix_users_roles", "users", ["roles", "id"], unique=False)
    op.create_index("ix_users_site_id", "users", ["site_id", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_users_site_id", table_name="users")
    op.drop_index("ix_users_roles", table_name="users")
    op.drop_index("ix_users_organisation_id", table_name="users")
    op.drop_index("ix_users_login_email", table_name="users")
    op.drop_index("ix_users_last_name", table_name="users")
    op.drop_index("ix_users_last_login_date", table_name="users")
    op.drop_index("ix_users_is_terminated", table_name="users")
    op.drop_index("ix_users_is_active", table_name="users")
    op.drop_index("ix_users_first_name", table_name="users")
    op.drop_index("ix_users_display_name", table_name="users")
    op.drop_index("ix_users_creation_date", table_name="users")
    op.drop_index("ix_users_company_name", table_name="users")
    op.drop_index("ix_users_company_id", table_name="users")
    op.drop_index("ix_users_authentication_external_uid", table_name="users")
    op.drop_index("ix_users_admin_type", table_name="users")
    op.drop_table("users")
    op.drop_table("user_secrets")
    op.drop_index("ix_trusted_applications_user_id", table_name="trusted_applications")
    op.drop_index("ix_trusted_applications_until", table_name="trusted_applications")
    op.drop_index("ix_trusted_applications_app_id", table_name="trusted_applications")
    op.drop_table("trusted_applications")
    op.drop_index("ix_tickets_expires", table_name="tickets")
    op.drop_table("tickets")
    op.drop_table("outbox")
    op.drop_index("ix_mfa_settings_mfa_name", table_name="mfa_settings")
    op.drop_index("ix_mfa_settings_enabled_for_all_company_users", table_name="mfa_settings")
    op.drop_index("ix_mfa_settings_company_id", table_name="mfa_settings")
    op.drop_table("mfa_settings")
    op.drop_index("ix_login_guards_until", table_name="login_guards")
    op.drop_table("login_guards")
    op.drop_index("ix_identity_providers_type", table_name="identity_providers")
    op.drop_index("ix_identity_providers_company_id", table_name="identity_providers")
    op.drop_table("identity_providers")
    op.drop_index("ix_event_log_user", table_name="event_log")
    op.drop_table("event_log")
    op.drop_index("ix_companies_status", table_name="companies")
    op.drop_index("ix_companies_organisation_id", table_name="companies")
    op.drop_index("ix_companies_name", table_name="companies")
    op.drop_index("ix_companies_is_bp", table_name="companies")
    op.drop_index("ix_companies_bp_id", table_name="companies")
    op.drop_table("companies")
    op.drop_index("ix_client_versions_version", table_name="client_versions")
    op.drop_index("ix_client_versions_type", table_name="client_versions")
    op.drop_index("ix_client_versions_name", table_name="client_versions")
    op.drop_table("client_versions")
    op.drop_index("ix_applications_type", table_name="applications")
    op.drop_index("ix_applications_subscription_status", table_name="applications")
    op.drop_index("ix_applications_state", table_name="applications")
    op.drop_index("ix_applications_owner_id", table_name="applications")
    op.drop_index("ix_applications_origin", table_name="applications")
    op.drop_index("ix_applications_name", table_name="applications")
    op.drop_index("ix_applications_kpi", table_name="applications")
    op.drop_index("ix_applications_env", table_name="applications")
    op.drop_index("ix_applications_date_of_last_token_when_renew", table_name="applications")
    op.drop_index("ix_applications_date_of_deployment_request", table_name="applications")
    op.drop_index("ix_applications_date_of_deployment", table_name="applications")
    op.drop_index("ix_applications_date_of_creation", table_name="applications")
    op.drop_index("ix_applications_activity", table_name="applications")
    op.drop_table("applications")
    op.drop_index("ix_api_keys_user_id", table_name="api_keys")
    op.drop_index("ix_api_keys_login_email", table_name="api_keys")
    op.drop_index("ix_api_keys_last_update_date", table_name="api_keys")
    op.drop_index("ix_api_keys_key_hash", table_name="api_keys")
    op.drop_index("ix_api_keys_is_active", table_name="api_keys")
    op.drop_index("ix_api_keys_expiration_date", table_name="api_keys")
    op.drop_index("ix_api_keys_description", table_name="api_keys")
    op.drop_index("ix_api_keys_creation_date", table_name="api_keys")
    op.drop_table("api_keys")
