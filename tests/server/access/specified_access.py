"""Who may call each operation, as the specification says it (sections 4.1 to 4.9): its own table.

A block begins with `role, role: reach, reach; ...` and names the operations that it holds for. After `!` stands the
code of the refusal beyond the reach, where it is not 403301 (the caller does not administer the record). All other
roles are refused with 403000.

The reaches: any record; `company`, the caller's own; `customers`, the end customers of the caller's BP; `resellers`,
the customers of its resellers; `partner`, the BP of the caller's company; `organisation`; `site`; `own`, the caller's
own records; `demo`, subscriptions to demo offers.
"""

from __future__ import annotations

#: Operations without a caller: they answer each role as they answer without one.
ANYBODY = """
login discover_login_urls login_oidc login_saml login_global_sso_oidc logout_oidc logout_saml logout_global_sso_oidc
oidc_id_token_login poll_backchannel_session saml_assert saml_metadata oauth_authorize oauth_consent oauth_token
get_authentication_about ping get_avatar get_splashscreen_image
"""

#: Refused for each role with a token: only for a caller with an API key.
WITH_A_KEY = "get_current_api_key"

#: What every caller may do: own records, and what belongs to no user.
EVERYBODY = """
create_api_key
renew_token logout discover_logout_url validate_token get_own_user list_countries list_oauth_tokens
get_oauth_token revoke_oauth_token ! 403000
get_mfa enable_mfa verify_mfa disable_mfa reset_mfa_recovery_code ! 403100
delete_mfa_trusted_applications delete_mfa_trusted_application ! 403100
check_personal_directory_csv import_personal_directory_csv get_personal_import_status
get_personal_import_report get_personal_import_details delete_personal_import_report
change_own_password ! 403100
"""

_TABLE = """
all: own; superadmin: any; bp_admin: customers; organization_admin: organisation; company_admin: company;
site_admin: site
    list_api_keys
    get_api_key update_api_key delete_api_key ! 403000

superadmin: any
    list_client_versions create_client_version get_client_version update_client_version delete_client_version

superadmin: any; bp_admin: customers; organization_admin: organisation; company_admin: company
    list_company_mfa_settings create_company_mfa_setting get_company_mfa_setting ! 403000
    update_company_mfa_setting delete_company_mfa_setting ! 403000

superadmin, support: any; bp_admin, bp_finance: customers; organization_admin: organisation; company_admin,
site_admin: company
    list_users get_user

superadmin: any; bp_admin: company, customers; organization_admin: organisation; company_admin: company; site_admin:
site
    create_user update_user delete_user

superadmin, support: any; bp_admin, bp_finance: company, customers; organization_admin: organisation; company_admin:
company
    upload_company_avatar delete_company_avatar

superadmin: any; bp_admin, bp_finance: company, customers; organization_admin: organisation; company_admin: company
    set_bot_company_avatar upload_splashscreen delete_splashscreen get_splashscreen_info choose_splashscreen

superadmin, support, customer_success_admin, sales_analytics, business_admin: any; organization_admin: organisation,
partner; company_admin, site_admin: company, partner; bp_admin, bp_finance: company, customers, resellers;
telephony_cpaas: company
    get_company

superadmin, support, business_admin: any; organization_admin: organisation; customer_success_admin, sales_analytics,
company_admin, site_admin, telephony_cpaas: company; bp_admin, bp_finance: company, customers, resellers
    list_companies

superadmin, support, business_admin, customer_success_admin, sales_analytics, bp_admin, bp_finance,
organization_admin, company_admin, site_admin, directory_admin: any
    get_default_company

superadmin: any; bp_admin, bp_finance: customers; organization_admin: organisation
    create_company

superadmin: any; organization_admin: organisation; company_admin: company; bp_admin, bp_finance: company, customers,
resellers
    update_company

superadmin: any; bp_admin, bp_finance: customers; organization_admin: organisation; company_admin: company
    delete_company

superadmin, support: any; bp_admin, bp_finance: customers; organization_admin: organisation; company_admin: company
    list_company_administrators

all: company
    get_company_as_user

superadmin, support: any
    list_catalogs list_all_offers

superadmin, support: any; bp_admin: customers; organization_admin: organisation; company_admin: company; site_admin:
site
    list_sites get_site list_cloudpbxs get_cloudpbx get_cloudpbx_barring_options get_cloudpbx_custom_numbers_restriction
    get_cloudpbx_cli_options list_cloudpbx_languages list_cloudpbx_device_models get_cloudpbx_emergency_numbers
    get_ddi_number list_ddi_numbers list_free_internal_numbers list_subscribers list_system_phone_numbers get_subscriber
    list_subscriber_devices get_subscriber_device list_subscriber_registrations get_subscriber_cli_options
    get_subscriber_pstn_device_options get_subscriber_sip_headers get_subscriber_barge_options get_subscriber_overflow
    list_sip_devices get_sip_device list_sip_device_registrations list_welcome_services list_welcomes get_welcome
    list_office_hours get_office_hours

superadmin: any; bp_admin: customers; organization_admin: organisation; company_admin: company
    create_site update_site delete_site create_cloudpbx update_cloudpbx delete_cloudpbx update_cloudpbx_cli_options
    replace_cloudpbx_custom_numbers_restriction toggle_default_ddi set_default_ddi create_ddi_number delete_ddi_number
    assign_ddi_to_user unassign_ddi_from_user create_subscriber delete_subscriber assign_device_to_subscriber
    unassign_device_from_subscriber update_subscriber_pstn_device_options update_subscriber_sip_headers
    update_subscriber_barge_options update_subscriber_barring update_subscriber_call_forward update_subscriber_overflow
    create_sip_device update_sip_device delete_sip_device add_sip_device_expansion_module create_welcome_service
    update_welcome_service delete_ivr create_welcome create_office_hours

all: own; superadmin, support: any; bp_admin: customers; organization_admin: organisation; company_admin:
company; site_admin: site
    get_subscriber_overflow_status

company_admin: company
    get_recording list_recordings delete_recordings set_recording_announcement_profile set_subscriber_recording_profile

superadmin: any; organization_admin: organisation
    list_recordings_across_companies

superadmin: any; bp_admin: company
    get_external_trunk list_external_trunks

superadmin: any; bp_admin: company, customers; company_admin: company
    apply_template

superadmin: any; bp_admin, company_admin: company
    create_template update_template delete_template

superadmin, support: any; bp_admin, company_admin: company
    list_templates get_template

superadmin, support, app_superadmin, app_support: any; all: company
    list_applications ! 403001

superadmin, support, app_superadmin, app_support: any; app_admin, bp_finance: company
    get_application ! 403001

superadmin, app_superadmin: any; app_admin: own
    create_application update_application restart_application stop_application delete_application ! 403001

superadmin, support: any; business_admin: demo; bp_admin, bp_finance: company, customers, resellers;
organization_admin: organisation; company_admin: company
    list_company_offers get_company_offer list_company_subscriptions get_company_subscription

superadmin: any; bp_finance: company, customers, resellers
    create_quotation

superadmin: any; business_admin: demo; bp_finance: company, customers, resellers
    create_company_subscription delete_company_subscription

superadmin: any; business_admin: demo; bp_finance: company, customers, resellers; company_admin: company
    update_company_subscription

superadmin: any; bp_finance: company
    list_company_invoices get_company_invoice_file

superadmin, bp_finance: any
    check_applicant_number

superadmin: any; bp_admin, bp_finance: company, customers; organization_admin: organisation; company_admin: company
    assign_licence unassign_licence

superadmin, support: any; bp_admin, bp_finance: company, customers; organization_admin: organisation; company_admin:
company; site_admin: site
    list_user_profiles

superadmin: any; bp_admin: company
    list_bp_company_stats export_customers_flat_stats

superadmin, support: any; bp_admin: company, customers; company_admin: company
    get_company_stats get_company_daily_stats

superadmin, app_superadmin, app_support: any; app_admin: own
    get_application_usage ! 403001

superadmin, app_superadmin, app_support, app_admin: any
    list_usage_groups

superadmin, app_superadmin: any; app_admin: own
    get_owner_usage ! 403001

superadmin: any; bp_finance, company_admin, site_admin: company; organization_admin: organisation
    list_invoice_files download_invoice_file

superadmin: any; bp_admin: company, customers; organization_admin: organisation; company_admin, directory_admin: company
    check_directory_csv import_directory_csv import_directory_csv_synchronize check_company_directory_csv
    get_company_import_status get_company_import_report get_company_import_details delete_company_import_report
    export_directory_synchronized delete_company_directory
    get_command_check_report get_command_import_report ! 404000

superadmin, bp_admin, organization_admin, company_admin, directory_admin: any
    create_command_report

superadmin: any; bp_admin: company, customers; organization_admin: organisation; company_admin, directory_admin:
company; all: own
    create_directory_entry update_directory_entry delete_directory_entry

superadmin, support: any; bp_admin: company, customers; organization_admin: organisation; all: company, own
    list_directory_entries get_directory_entry
"""

#: Where business_admin is limited to demo offers: the code for anything else. Lists leave it out.
NOT_DEMO = {
    "get_company_subscription": 404000,
    "create_company_subscription": 400517,
    "update_company_subscription": 400517,
    "delete_company_subscription": 400517,
}

#: Statistics of a BP's customers: for the administrator of the BP, about the customers.
SHOWS_CUSTOMERS = ("list_bp_company_stats", "export_customers_flat_stats")

ROLES = (
    "superadmin", "support", "business_admin", "customer_success_admin", "sales_analytics", "bp_admin", "bp_finance",
    "organization_admin", "company_admin", "site_admin", "directory_admin", "app_admin", "app_superadmin",
    "app_support", "telephony_cpaas", "user",
)  # fmt: skip


def _named(text: str) -> dict[str, int]:
    """Names of operations and the code that follows them in their line; 403301 without one."""
    found = {}
    for line in text.strip().splitlines():
        names, _, code = line.partition("!")
        found |= dict.fromkeys(names.split(), int(code or 403301))
    return found


def beyond() -> dict[str, int]:
    """The code with which each operation refuses a record beyond the caller's reach."""
    lines = [line for line in _TABLE.splitlines() if line.startswith(" ")]
    return _named("\n".join([*lines, EVERYBODY]))


def reaches() -> dict[str, dict[str, frozenset[str]]]:
    """For each operation the reach of each role that may call it."""
    found: dict[str, dict[str, frozenset[str]]] = {
        name: dict.fromkeys(ROLES, frozenset({"own"})) for name in _named(EVERYBODY)
    }
    for block in _TABLE.strip().split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith(" ")]
        head = " ".join(line for line in block.splitlines() if not line.startswith(" "))
        of: dict[str, frozenset[str]] = {}
        for pair in head.split(";"):
            roles, _, reached = pair.partition(":")
            named = {each.strip() for each in roles.split(",")}
            for role in ROLES if "all" in named else named:
                of[role] = of.get(role, frozenset()) | {each.strip() for each in reached.split(",")}
        assert set(of) <= set(ROLES), head
        found |= dict.fromkeys(_named("\n".join(lines)), of)
    return found
