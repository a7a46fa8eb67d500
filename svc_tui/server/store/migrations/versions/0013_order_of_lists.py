"""Indexes in the order of the lists, so that no page of a list is sorted."""

from collections.abc import Iterator, Sequence

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

#: Tables, the order of their lists, and the keys whose index continues with that order.
_KEYS = (
    ("api_keys", "creation_date", "description expiration_date is_active last_update_date login_email user_id"),
    (
        "applications",
        "name",
        "activity date_of_creation date_of_deployment date_of_deployment_request date_of_last_token_when_renew env "
        "kpi origin owner_id state subscription_status type",
    ),
    ("catalogs", "name", "is_default offers_list"),
    ("cloudpbxs", "company_id", "bp_id country creation_date external_trunk_id name site_id status"),
    (
        "companies",
        "name",
        "bp_id bp_type catalog_id city country creation_date external_reference external_reference2 is_bp "
        "offer_type organisation_id selected_app_customisation_template status status_updated_date visibility",
    ),
    (
        "ddis",
        "number",
        "creation_date first_name group_id is_cloud_pbx_default ivr_id last_name names system_id user_id "
        "voice_auto_attendant_id",
    ),
    (
        "devices",
        "description",
        "company_id device_type phone_number_id short_number system_id user_display_name user_id",
    ),
    ("external_trunks", "name", "bp_ids status trunk_type voice_instance_id"),
    ("invoice_files", "invoice_creation_date", "billing_period bp_type company_id file_type invoice_type"),
    ("invoices", "updated_date", "company_id invoice_files"),
    ("mfa_settings", "mfa_name", "company_id enabled_for_all_company_users"),
    ("oauth_tokens", "app_name", "app_id creation_date expires user_id"),
    (
        "offers",
        "name",
        "auto_subscribe business_specific can_be_sold group_name is_default is_exclusive is_prepaid "
        "offer_reference profile_id sap_reference",
    ),
    ("office_hours", "name", "system_id"),
    (
        "recordings",
        "date",
        "company_id direction duration other_number phone_number_id recorded_name recorded_number size system_id",
    ),
    ("sites", "name", "company_id status"),
    (
        "subscribers",
        "short_number",
        "creation_date device_name external_number first_name internal_number is_monitored last_name names "
        "pbx_user_id recording_profile status system_id user_id",
    ),
    ("templates", "name", "creation_date owned_by_company type visibility visible_by"),
    (
        "users",
        "display_name",
        "admin_type authentication_external_uid company_id company_name creation_date first_name is_active "
        "is_terminated jid_im last_login_date last_name organisation_id profiles roles site_id",
    ),
    ("welcome_services", "name", "company_calendar_id external_number system_id welcome_id"),
    ("welcomes", "name", "system_id"),
)
#: Other indexes: table, name, columns.
_BEFORE = (
    ("directory_entries", "directory_last_name", "directory last_name id"),
    ("recordings", "company_dates", "company_id date id"),
    ("recordings", "system_dates", "system_id date id"),
)
_AFTER = (
    ("ddis", "system_id_creation_date", "system_id creation_date number id"),
    ("ddis", "system_id_first_name", "system_id first_name number id"),
    ("ddis", "system_id_is_cloud_pbx_default", "system_id is_cloud_pbx_default number id"),
    ("ddis", "system_id_last_name", "system_id last_name number id"),
    ("ddis", "system_id_names", "system_id names number id"),
    ("devices", "system_id_device_type", "system_id device_type description id"),
    ("devices", "system_id_mac_address", "system_id mac_address description id"),
    ("devices", "system_id_short_number", "system_id short_number description id"),
    ("devices", "system_id_user_display_name", "system_id user_display_name description id"),
    ("directory_entries", "directory_company_name", "directory company_name last_name first_name id"),
    ("directory_entries", "directory_first_name", "directory first_name last_name id"),
    ("directory_entries", "directory_last_name", "directory last_name first_name id"),
    ("directory_entries", "directory_last_update_date", "directory last_update_date last_name first_name id"),
    ("recordings", "company_id_direction", "company_id direction date id"),
    ("recordings", "company_id_duration", "company_id duration date id"),
    ("recordings", "company_id_other_number", "company_id other_number date id"),
    ("recordings", "company_id_recorded_name", "company_id recorded_name date id"),
    ("recordings", "company_id_recorded_number", "company_id recorded_number date id"),
    ("recordings", "company_id_size", "company_id size date id"),
    ("recordings", "system_id_direction", "system_id direction date id"),
    ("recordings", "system_id_duration", "system_id duration date id"),
    ("recordings", "system_id_other_number", "system_id other_number date id"),
    ("recordings", "system_id_recorded_name", "system_id recorded_name date id"),
    ("recordings", "system_id_recorded_number", "system_id recorded_number date id"),
    ("recordings", "system_id_size", "system_id size date id"),
    ("sites", "company_id_status", "company_id status name id"),
    ("subscribers", "system_id_creation_date", "system_id creation_date short_number id"),
    ("subscribers", "system_id_device_name", "system_id device_name short_number id"),
    ("subscribers", "system_id_external_number", "system_id external_number short_number id"),
    ("subscribers", "system_id_first_name", "system_id first_name short_number id"),
    ("subscribers", "system_id_internal_number", "system_id internal_number short_number id"),
    ("subscribers", "system_id_last_name", "system_id last_name short_number id"),
    ("subscribers", "system_id_names", "system_id names short_number id"),
    ("subscribers", "system_id_recording_profile", "system_id recording_profile short_number id"),
    ("subscribers", "system_id_status", "system_id status short_number id"),
    ("users", "company_id_creation_date", "company_id creation_date display_name id"),
    ("users", "company_id_first_name", "company_id first_name display_name id"),
    ("users", "company_id_last_login_date", "company_id last_login_date display_name id"),
    ("users", "company_id_last_name", "company_id last_name display_name id"),
    ("users", "company_id_login_email", "company_id login_email display_name id"),
)

_Index = tuple[str, str, str]


def upgrade() -> None:
    _replace([*_of_keys(ordered=False), *_BEFORE], [*_of_keys(ordered=True), *_AFTER])


def downgrade() -> None:
    _replace([*_of_keys(ordered=True), *_AFTER], [*_of_keys(ordered=False), *_BEFORE])


def _of_keys(*, ordered: bool) -> Iterator[_Index]:
    for table, order, keys in _KEYS:
        for key in keys.split():
            rest = [column for column in order.split() if ordered and column != key]
            yield table, key, " ".join((key, *rest, "id"))


def _replace(old: Sequence[_Index], new: Sequence[_Index]) -> None:
    for table, name, _ in old:
        op.drop_index(f"ix_{table}_{name}", table_name=table)
    for table, name, columns in new:
        op.create_index(f"ix_{table}_{name}", table, columns.split(), unique=False)
