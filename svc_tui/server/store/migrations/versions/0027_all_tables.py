"""All tables, as they were before the first release."""

from collections.abc import Mapping
from types import MappingProxyType

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = None
branch_labels = None
depends_on = None

_TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_NONE: Mapping[str, str] = MappingProxyType({})
_TEXTS = (
    ("directory_entries", "directory", "directory last_name first_name id type search"),
    ("recordings", "company_id", "company_id date id recorded_name recorded_number other_number"),
    ("recordings", "system_id", "system_id date id recorded_name recorded_number other_number"),
    ("users", "company_id", "company_id display_name id roles admin_type is_terminated login_email company_name"),
    ("users", "display_name", "display_name id roles admin_type is_terminated login_email company_name"),
)


def upgrade() -> None:
    _create_records()
    _create_others()
    _create_text_indexes()


def downgrade() -> None:
    """There is no version before."""


def _records(
    table: str, columns: str, order: str = "", within: Mapping[str, str] = _NONE, more: Mapping[str, str] = _NONE
) -> None:
    """Create a table of records. Each column has an index that continues with the order of lists, and so have those of
    lists within a company or a CloudPBX. `?` is behind a column that is true or false, `!` behind one with unique
    values, `-` behind one without an index."""
    named = {each.rstrip("?!-"): each for each in columns.split()}
    op.create_table(
        table,
        sa.Column("id", _TEXT, primary_key=True),
        *(sa.Column(name, sa.Boolean() if "?" in each else _TEXT) for name, each in named.items()),
        sa.Column("document", sa.JSON(), nullable=False),
    )
    for name, each in named.items():
        if each.endswith("!"):
            op.create_index(f"ix_{table}_{name}", table, [name], unique=True)
        elif not each.endswith("-"):
            op.create_index(f"ix_{table}_{name}", table, _ordered(name, order))
    for scope, columns_within in within.items():
        for name in columns_within.split():
            op.create_index(f"ix_{table}_{scope}_{name}", table, [scope, *_ordered(name, order)])
    for name, listed in more.items():
        op.create_index(f"ix_{table}_{name}", table, listed.split())


def _ordered(name: str, order: str) -> list[str]:
    return [name, *(each for each in order.split() if each != name), "id"]


def _create_records() -> None:
    _records(
        "api_keys",
        "user_id description is_active? creation_date last_update_date expiration_date login_email key_hash!",
        order="creation_date",
    )
    _records(
        "applications",
        (
            "name owner_id state env type kpi activity origin date_of_creation date_of_deployment_request "
            "date_of_deployment date_of_last_token_when_renew subscription_status is_svc_client_default?"
        ),
        order="name",
    )
    _records(
        "audit_records",
        "date company_id record_id user_id operation outcome kind user_company_id",
        order="date",
        within={"company_id": "kind operation outcome"},
    )
    _records("catalogs", "name is_default? offers_list", order="name")
    _records("client_versions", "name type version")
    _records(
        "cloudpbxs", "name company_id! site_id bp_id status country external_trunk_id creation_date", order="company_id"
    )
    _records(
        "companies",
        (
            "name bp_id organisation_id status is_bp? bp_type visibility country city offer_type catalog_id "
            "external_reference external_reference2 selected_app_customisation_template creation_date "
            "status_updated_date"
        ),
        order="name",
    )
    _records("daily_stats", "company_id- date-", more={"company_id_date": "company_id date"})
    _records(
        "ddis",
        (
            "number number_e164! system_id user_id ivr_id group_id voice_auto_attendant_id names first_name "
            "last_name is_cloud_pbx_default? creation_date"
        ),
        order="number",
        within={
            "system_id": (
                "creation_date first_name group_id is_cloud_pbx_default ivr_id last_name names number_e164 "
                "user_id voice_auto_attendant_id"
            )
        },
    )
    _records(
        "devices",
        (
            "description mac_address! system_id company_id phone_number_id user_id short_number user_display_name "
            "device_type"
        ),
        order="description",
        within={
            "system_id": "company_id device_type mac_address phone_number_id short_number user_display_name user_id"
        },
    )
    _records("directories", "company_id user_id live?")
    _records(
        "directory_entries",
        (
            "directory- last_name- first_name- company_name- type- ldap_id- name- numbers- tags- search- "
            "creation_date- last_update_date-"
        ),
        order="last_name first_name",
        more={
            "directory_company_name": "directory company_name last_name first_name id type",
            "directory_first_name": "directory first_name last_name id type",
            "directory_last_name": "directory last_name first_name id type",
            "directory_last_update_date": "directory last_update_date last_name first_name id type",
            "directory_ldap_id": "directory ldap_id",
        },
    )
    _records("external_trunks", "name status trunk_type voice_instance_id bp_ids", order="name")
    _records("identity_providers", "company_id type")
    _records("import_reports", "state company_id start_time command")
    _records("imported_rows", "report status")
    _records(
        "invoice_files",
        "company_id billing_period invoice_type file_type bp_type invoice_creation_date filepath!",
        order="invoice_creation_date",
    )
    _records("invoices", "company_id updated_date invoice_files", order="updated_date")
    _records("login_guards", "until")
    _records("mfa_settings", "company_id mfa_name enabled_for_all_company_users?", order="mfa_name")
    _records("oauth_tokens", "user_id app_id app_name creation_date expires refresh_hash!", order="app_name")
    _records(
        "offers",
        (
            "name can_be_sold? auto_subscribe? is_exclusive? is_prepaid? is_default? profile_id offer_reference "
            "sap_reference business_specific group_name"
        ),
        order="name",
    )
    _records("office_hours", "name system_id", order="name")
    _records("prohibited_numbers", "")
    _records(
        "recordings",
        (
            "system_id company_id date duration size direction phone_number_id recorded_name recorded_number "
            "other_number"
        ),
        order="date",
        within={
            "company_id": (
                "direction duration other_number phone_number_id recorded_name recorded_number size system_id"
            ),
            "system_id": (
                "company_id direction duration other_number phone_number_id recorded_name recorded_number size"
            ),
        },
    )
    _records("registrations", "system_id phone_number_id device_id expiration_date")
    _records("signing_keys", "purpose")
    _records("sites", "name company_id status", order="name", within={"company_id": "status"})
    _records("splash_screens", "")
    _records(
        "subscribers",
        (
            "line! holder! system_id user_id short_number internal_number external_number first_name last_name "
            "names device_name pbx_user_id is_monitored? recording_profile status creation_date"
        ),
        order="short_number",
        within={
            "system_id": (
                "creation_date device_name external_number first_name internal_number is_monitored last_name "
                "names pbx_user_id recording_profile status user_id"
            )
        },
    )
    _records("subscriptions", "company_id offer_id offer_name status is_default? sync_due expiration_date")
    _records("templates", "name type visibility visible_by owned_by_company creation_date", order="name")
    _records("trusted_applications", "user_id app_id until")
    _records("user_secrets", "")
    _records(
        "users",
        (
            "login_email! login_domain- authentication_external_uid jid_im company_id- organisation_id- site_id- "
            "roles admin_type display_name- first_name last_name company_name is_terminated? is_active? "
            "creation_date last_login_date profiles"
        ),
        order="display_name",
        within={
            "company_id": (
                "admin_type authentication_external_uid creation_date first_name is_active jid_im last_login_date "
                "last_name login_domain login_email organisation_id profiles roles site_id"
            ),
            "login_domain": "company_id",
        },
        more={
            "company_id": "company_id display_name id roles admin_type is_terminated",
            "display_name": "display_name id roles admin_type is_terminated",
            "organisation_id": "organisation_id display_name id roles admin_type is_terminated",
            "site_id": "site_id display_name id roles admin_type is_terminated",
        },
    )
    _records("welcome_services", "name system_id external_number company_calendar_id welcome_id", order="name")
    _records("welcomes", "name system_id", order="name")


def _create_others() -> None:
    op.create_table(
        "event_log",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("user_id", _TEXT, nullable=False),
        sa.Column("created", _TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_event_log_created", "event_log", ["created"])
    op.create_index("ix_event_log_user", "event_log", ["user_id", "number"])
    op.create_table(
        "event_sessions",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("user_id", _TEXT, nullable=False),
        sa.Column("resource", _TEXT, nullable=False),
        sa.Column("process", _TEXT, nullable=False),
        sa.Column("acknowledged", sa.Integer()),
        sa.Column("seen", _TEXT, nullable=False),
        sa.UniqueConstraint("user_id", "resource"),
    )
    op.create_index("ix_event_sessions_process", "event_sessions", ["process"])
    op.create_table(
        "images",
        sa.Column("purpose", _TEXT, primary_key=True),
        sa.Column("entity_id", _TEXT, primary_key=True),
        sa.Column("media_type", _TEXT, nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("hash", _TEXT, nullable=False),
        sa.Column("date", _TEXT, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "import_files",
        sa.Column("file_id", _TEXT, primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("created", _TEXT, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "invoice_lines",
        sa.Column("file_id", _TEXT, primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("created", _TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )
    op.create_table(
        "processes",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("seen", _TEXT, nullable=False),
    )
    op.create_table(
        "request_rates",
        sa.Column("name", _TEXT, primary_key=True),
        sa.Column("minute", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
    )
    op.create_index("ix_request_rates_minute", "request_rates", ["minute"])
    op.create_table(
        "tickets",
        sa.Column("kind", _TEXT, primary_key=True),
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("expires", _TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
    )
    op.create_index("ix_tickets_expires", "tickets", ["expires"])
    op.create_table(
        "turns",
        sa.Column("name", _TEXT, primary_key=True),
        sa.Column("due", _TEXT, nullable=False),
    )
    op.create_table(
        "usage_counters",
        sa.Column("application_id", _TEXT, primary_key=True),
        sa.Column("hour", _TEXT, primary_key=True),
        sa.Column("group_name", _TEXT, primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
    )
    op.create_index("ix_usage_counters_hour", "usage_counters", ["hour"])


def _create_text_indexes() -> None:
    """Indexes for filters by a part of a text. On PostgreSQL each start creates those that are missing."""
    if op.get_bind().dialect.name == "sqlite":
        for table, name, columns in _TEXTS:
            op.create_index(f"tx_{table}_{name}", table, columns.split())
