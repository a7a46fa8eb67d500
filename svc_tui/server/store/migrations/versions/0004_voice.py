"""CloudPBXs, subscribers, DDI numbers, devices, registrations, recordings, welcome services and trunks."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "cloudpbxs",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("site_id", TEXT, nullable=True),
        sa.Column("bp_id", TEXT, nullable=True),
        sa.Column("status", TEXT, nullable=True),
        sa.Column("country", TEXT, nullable=True),
        sa.Column("external_trunk_id", TEXT, nullable=True),
        sa.Column("creation_date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_cloudpbxs_bp_id", "cloudpbxs", ["bp_id", "id"], unique=False)
    op.create_index("ix_cloudpbxs_company_id", "cloudpbxs", ["company_id"], unique=True)
    op.create_index("ix_cloudpbxs_country", "cloudpbxs", ["country", "id"], unique=False)
    op.create_index("ix_cloudpbxs_creation_date", "cloudpbxs", ["creation_date", "id"], unique=False)
    op.create_index("ix_cloudpbxs_external_trunk_id", "cloudpbxs", ["external_trunk_id", "id"], unique=False)
    op.create_index("ix_cloudpbxs_name", "cloudpbxs", ["name", "id"], unique=False)
    op.create_index("ix_cloudpbxs_site_id", "cloudpbxs", ["site_id", "id"], unique=False)
    op.create_index("ix_cloudpbxs_status", "cloudpbxs", ["status", "id"], unique=False)
    op.create_table(
        "ddis",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("number", TEXT, nullable=True),
        sa.Column("number_e164", TEXT, nullable=True),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("user_id", TEXT, nullable=True),
        sa.Column("ivr_id", TEXT, nullable=True),
        sa.Column("group_id", TEXT, nullable=True),
        sa.Column("voice_auto_attendant_id", TEXT, nullable=True),
        sa.Column("names", TEXT, nullable=True),
        sa.Column("first_name", TEXT, nullable=True),
        sa.Column("last_name", TEXT, nullable=True),
        sa.Column("is_cloud_pbx_default", sa.Boolean(), nullable=True),
        sa.Column("creation_date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_ddis_creation_date", "ddis", ["creation_date", "id"], unique=False)
    op.create_index("ix_ddis_first_name", "ddis", ["first_name", "id"], unique=False)
    op.create_index("ix_ddis_group_id", "ddis", ["group_id", "id"], unique=False)
    op.create_index("ix_ddis_is_cloud_pbx_default", "ddis", ["is_cloud_pbx_default", "id"], unique=False)
    op.create_index("ix_ddis_ivr_id", "ddis", ["ivr_id", "id"], unique=False)
    op.create_index("ix_ddis_last_name", "ddis", ["last_name", "id"], unique=False)
    op.create_index("ix_ddis_names", "ddis", ["names", "id"], unique=False)
    op.create_index("ix_ddis_number", "ddis", ["number", "id"], unique=False)
    op.create_index("ix_ddis_number_e164", "ddis", ["number_e164"], unique=True)
    op.create_index("ix_ddis_system_id", "ddis", ["system_id", "id"], unique=False)
    op.create_index("ix_ddis_user_id", "ddis", ["user_id", "id"], unique=False)
    op.create_index("ix_ddis_voice_auto_attendant_id", "ddis", ["voice_auto_attendant_id", "id"], unique=False)
    op.create_table(
        "devices",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=True),
        sa.Column("mac_address", TEXT, nullable=True),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("phone_number_id", TEXT, nullable=True),
        sa.Column("user_id", TEXT, nullable=True),
        sa.Column("short_number", TEXT, nullable=True),
        sa.Column("user_display_name", TEXT, nullable=True),
        sa.Column("device_type", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_devices_company_id", "devices", ["company_id", "id"], unique=False)
    op.create_index("ix_devices_description", "devices", ["description", "id"], unique=False)
    op.create_index("ix_devices_device_type", "devices", ["device_type", "id"], unique=False)
    op.create_index("ix_devices_mac_address", "devices", ["mac_address"], unique=True)
    op.create_index("ix_devices_phone_number_id", "devices", ["phone_number_id", "id"], unique=False)
    op.create_index("ix_devices_short_number", "devices", ["short_number", "id"], unique=False)
    op.create_index("ix_devices_system_id", "devices", ["system_id", "id"], unique=False)
    op.create_index("ix_devices_user_display_name", "devices", ["user_display_name", "id"], unique=False)
    op.create_index("ix_devices_user_id", "devices", ["user_id", "id"], unique=False)
    op.create_table(
        "external_trunks",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("status", TEXT, nullable=True),
        sa.Column("trunk_type", TEXT, nullable=True),
        sa.Column("voice_instance_id", TEXT, nullable=True),
        sa.Column("bp_ids", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_external_trunks_bp_ids", "external_trunks", ["bp_ids", "id"], unique=False)
    op.create_index("ix_external_trunks_name", "external_trunks", ["name", "id"], unique=False)
    op.create_index("ix_external_trunks_status", "external_trunks", ["status", "id"], unique=False)
    op.create_index("ix_external_trunks_trunk_type", "external_trunks", ["trunk_type", "id"], unique=False)
    op.create_index(
        "ix_external_trunks_voice_instance_id", "external_trunks", ["voice_instance_id", "id"], unique=False
    )
    op.create_table(
        "office_hours",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_office_hours_name", "office_hours", ["name", "id"], unique=False)
    op.create_index("ix_office_hours_system_id", "office_hours", ["system_id", "id"], unique=False)
    op.create_table(
        "prohibited_numbers",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "recordings",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("date", TEXT, nullable=True),
        sa.Column("duration", TEXT, nullable=True),
        sa.Column("size", TEXT, nullable=True),
        sa.Column("direction", TEXT, nullable=True),
        sa.Column("phone_number_id", TEXT, nullable=True),
        sa.Column("recorded_name", TEXT, nullable=True),
        sa.Column("recorded_number", TEXT, nullable=True),
        sa.Column("other_number", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_recordings_company_dates", "recordings", ["company_id", "date", "id"], unique=False)
    op.create_index("ix_recordings_company_id", "recordings", ["company_id", "id"], unique=False)
    op.create_index("ix_recordings_date", "recordings", ["date", "id"], unique=False)
    op.create_index("ix_recordings_direction", "recordings", ["direction", "id"], unique=False)
    op.create_index("ix_recordings_duration", "recordings", ["duration", "id"], unique=False)
    op.create_index("ix_recordings_other_number", "recordings", ["other_number", "id"], unique=False)
    op.create_index("ix_recordings_phone_number_id", "recordings", ["phone_number_id", "id"], unique=False)
    op.create_index("ix_recordings_recorded_name", "recordings", ["recorded_name", "id"], unique=False)
    op.create_index("ix_recordings_recorded_number", "recordings", ["recorded_number", "id"], unique=False)
    op.create_index("ix_recordings_size", "recordings", ["size", "id"], unique=False)
    op.create_index("ix_recordings_system_dates", "recordings", ["system_id", "date", "id"], unique=False)
    op.create_index("ix_recordings_system_id", "recordings", ["system_id", "id"], unique=False)
    op.create_table(
        "registrations",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("phone_number_id", TEXT, nullable=True),
        sa.Column("device_id", TEXT, nullable=True),
        sa.Column("expiration_date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_registrations_device_id", "registrations", ["device_id", "id"], unique=False)
    op.create_index("ix_registrations_expiration_date", "registrations", ["expiration_date", "id"], unique=False)
    op.create_index("ix_registrations_phone_number_id", "registrations", ["phone_number_id", "id"], unique=False)
    op.create_index("ix_registrations_system_id", "registrations", ["system_id", "id"], unique=False)
    op.create_table(
        "subscribers",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("line", TEXT, nullable=True),
        sa.Column("holder", TEXT, nullable=True),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("user_id", TEXT, nullable=True),
        sa.Column("short_number", TEXT, nullable=True),
        sa.Column("internal_number", TEXT, nullable=True),
        sa.Column("external_number", TEXT, nullable=True),
        sa.Column("first_name", TEXT, nullable=True),
        sa.Column("last_name", TEXT, nullable=True),
        sa.Column("names", TEXT, nullable=True),
        sa.Column("device_name", TEXT, nullable=True),
        sa.Column("pbx_user_id", TEXT, nullable=True),
        sa.Column("is_monitored", sa.Boolean(), nullable=True),
        sa.Column("recording_profile", TEXT, nullable=True),
        sa.Column("status", TEXT, nullable=True),
        sa.Column("creation_date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_subscribers_creation_date", "subscribers", ["creation_date", "id"], unique=False)
    op.create_index("ix_subscribers_device_name", "subscribers", ["device_name", "id"], unique=False)
    op.create_index("ix_subscribers_external_number", "subscribers", ["external_number", "id"], unique=False)
    op.create_index("ix_subscribers_first_name", "subscribers", ["first_name", "id"], unique=False)
    op.create_index("ix_subscribers_holder", "subscribers", ["holder"], unique=True)
    op.create_index("ix_subscribers_internal_number", "subscribers", ["internal_number", "id"], unique=False)
    op.create_index("ix_subscribers_is_monitored", "subscribers", ["is_monitored", "id"], unique=False)
    op.create_index("ix_subscribers_last_name", "subscribers", ["last_name", "id"], unique=False)
    op.create_index("ix_subscribers_line", "subscribers", ["line"], unique=True)
    op.create_index("ix_subscribers_names", "subscribers", ["names", "id"], unique=False)
    op.create_index("ix_subscribers_pbx_user_id", "subscribers", ["pbx_user_id", "id"], unique=False)
    op.create_index("ix_subscribers_recording_profile", "subscribers", ["recording_profile", "id"], unique=False)
    op.create_index("ix_subscribers_short_number", "subscribers", ["short_number", "id"], unique=False)
    op.create_index("ix_subscribers_status", "subscribers", ["status", "id"], unique=False)
    op.create_index("ix_subscribers_system_id", "subscribers", ["system_id", "id"], unique=False)
    op.create_index("ix_subscribers_user_id", "subscribers", ["user_id", "id"], unique=False)
    op.create_table(
        "welcome_services",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("external_number", TEXT, nullable=True),
        sa.Column("company_calendar_id", TEXT, nullable=True),
        sa.Column("welcome_id", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_welcome_services_company_calendar_id", "welcome_services", ["company_calendar_id", "id"], unique=False
    )
    op.create_index("ix_welcome_services_external_number", "welcome_services", ["external_number", "id"], unique=False)
    op.create_index("ix_welcome_services_name", "welcome_services", ["name", "id"], unique=False)
    op.create_index("ix_welcome_services_system_id", "welcome_services", ["system_id", "id"], unique=False)
    op.create_index("ix_welcome_services_welcome_id", "welcome_services", ["welcome_id", "id"], unique=False)
    op.create_table(
        "welcomes",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("system_id", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_welcomes_name", "welcomes", ["name", "id"], unique=False)
    op.create_index("ix_welcomes_system_id", "welcomes", ["system_id", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_welcomes_system_id", table_name="welcomes")
    op.drop_index("ix_welcomes_name", table_name="welcomes")
    op.drop_table("welcomes")
    op.drop_index("ix_welcome_services_welcome_id", table_name="welcome_services")
    op.drop_index("ix_welcome_services_system_id", table_name="welcome_services")
    op.drop_index("ix_welcome_services_name", table_name="welcome_services")
    op.drop_index("ix_welcome_services_external_number", table_name="welcome_services")
    op.drop_index("ix_welcome_services_company_calendar_id", table_name="welcome_services")
    op.drop_table("welcome_services")
    op.drop_index("ix_subscribers_user_id", table_name="subscribers")
    op.drop_index("ix_subscribers_system_id", table_name="subscribers")
    op.drop_index("ix_subscribers_status", table_name="subscribers")
    op.drop_index("ix_subscribers_short_number", table_name="subscribers")
    op.drop_index("ix_subscribers_recording_profile", table_name="subscribers")
    op.drop_index("ix_subscribers_pbx_user_id", table_name="subscribers")
    op.drop_index("ix_subscribers_names", table_name="subscribers")
    op.drop_index("ix_subscribers_line", table_name="subscribers")
    op.drop_index("ix_subscribers_last_name", table_name="subscribers")
    op.drop_index("ix_subscribers_is_monitored", table_name="subscribers")
    op.drop_index("ix_subscribers_internal_number", table_name="subscribers")
    op.drop_index("ix_subscribers_holder", table_name="subscribers")
    op.drop_index("ix_subscribers_first_name", table_name="subscribers")
    op.drop_index("ix_subscribers_external_number", table_name="subscribers")
    op.drop_index("ix_subscribers_device_name", table_name="subscribers")
    op.drop_index("ix_subscribers_creation_date", table_name="subscribers")
    op.drop_table("subscribers")
    op.drop_index("ix_registrations_system_id", table_name="registrations")
    op.drop_index("ix_registrations_phone_number_id", table_name="registrations")
    op.drop_index("ix_registrations_expiration_date", table_name="registrations")
    op.drop_index("ix_registrations_device_id", table_name="registrations")
    op.drop_table("registrations")
    op.drop_index("ix_recordings_system_id", table_name="recordings")
    op.drop_index("ix_recordings_system_dates", table_name="recordings")
    op.drop_index("ix_recordings_size", table_name="recordings")
    op.drop_index("ix_recordings_recorded_number", table_name="recordings")
    op.drop_index("ix_recordings_recorded_name", table_name="recordings")
    op.drop_index("ix_recordings_phone_number_id", table_name="recordings")
    op.drop_index("ix_recordings_other_number", table_name="recordings")
    op.drop_index("ix_recordings_duration", table_name="recordings")
    op.drop_index("ix_recordings_direction", table_name="recordings")
    op.drop_index("ix_recordings_date", table_name="recordings")
    op.drop_index("ix_recordings_company_id", table_name="recordings")
    op.drop_index("ix_recordings_company_dates", table_name="recordings")
    op.drop_table("recordings")
    op.drop_table("prohibited_numbers")
    op.drop_index("ix_office_hours_system_id", table_name="office_hours")
    op.drop_index("ix_office_hours_name", table_name="office_hours")
    op.drop_table("office_hours")
    op.drop_index("ix_external_trunks_voice_instance_id", table_name="external_trunks")
    op.drop_index("ix_external_trunks_trunk_type", table_name="external_trunks")
    op.drop_index("ix_external_trunks_status", table_name="external_trunks")
    op.drop_index("ix_external_trunks_name", table_name="external_trunks")
    op.drop_index("ix_external_trunks_bp_ids", table_name="external_trunks")
    op.drop_table("external_trunks")
    op.drop_index("ix_devices_user_id", table_name="devices")
    op.drop_index("ix_devices_user_display_name", table_name="devices")
    op.drop_index("ix_devices_system_id", table_name="devices")
    op.drop_index("ix_devices_short_number", table_name="devices")
    op.drop_index("ix_devices_phone_number_id", table_name="devices")
    op.drop_index("ix_devices_mac_address", table_name="devices")
    op.drop_index("ix_devices_device_type", table_name="devices")
    op.drop_index("ix_devices_description", table_name="devices")
    op.drop_index("ix_devices_company_id", table_name="devices")
    op.drop_table("devices")
    op.drop_index("ix_ddis_voice_auto_attendant_id", table_name="ddis")
    op.drop_index("ix_ddis_user_id", table_name="ddis")
    op.drop_index("ix_ddis_system_id", table_name="ddis")
    op.drop_index("ix_ddis_number_e164", table_name="ddis")
    op.drop_index("ix_ddis_number", table_name="ddis")
    op.drop_index("ix_ddis_names", table_name="ddis")
    op.drop_index("ix_ddis_last_name", table_name="ddis")
    op.drop_index("ix_ddis_ivr_id", table_name="ddis")
    op.drop_index("ix_ddis_is_cloud_pbx_default", table_name="ddis")
    op.drop_index("ix_ddis_group_id", table_name="ddis")
    op.drop_index("ix_ddis_first_name", table_name="ddis")
    op.drop_index("ix_ddis_creation_date", table_name="ddis")
    op.drop_table("ddis")
    op.drop_index("ix_cloudpbxs_status", table_name="cloudpbxs")
    op.drop_index("ix_cloudpbxs_site_id", table_name="cloudpbxs")
    op.drop_index("ix_cloudpbxs_name", table_name="cloudpbxs")
    op.drop_index("ix_cloudpbxs_external_trunk_id", table_name="cloudpbxs")
    op.drop_index("ix_cloudpbxs_creation_date", table_name="cloudpbxs")
    op.drop_index("ix_cloudpbxs_country", table_name="cloudpbxs")
    op.drop_index("ix_cloudpbxs_company_id", table_name="cloudpbxs")
    op.drop_index("ix_cloudpbxs_bp_id", table_name="cloudpbxs")
    op.drop_table("cloudpbxs")
