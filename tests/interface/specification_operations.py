"""Every operation that the specification names (section 4), and those on users: the portal, then name, method and path
of each."""

from __future__ import annotations

_TABLE = """
/api/svc/authentication/v1.0
create_api_key POST /apikeys
list_api_keys GET /apikeys
get_api_key GET /apikeys/{apiKeyId}
update_api_key PUT /apikeys/{apiKeyId}
delete_api_key DELETE /apikeys/{apiKeyId}
get_current_api_key GET /apikeys/current
login GET /login
renew_token GET /renew
logout GET /logout
discover_login_urls GET /urls
discover_logout_url GET /urls/logout
login_oidc GET /oidc-client/login
logout_oidc GET /oidc-client/logout
logout_saml GET /saml/logout
logout_global_sso_oidc GET /global-sso/oidc/logout
oauth_authorize GET /oauth/authorize
oauth_token POST /oauth/token
revoke_oauth_token DELETE /oauth/tokens/{tokenId}
list_oauth_tokens GET /oauth/tokens
get_oauth_token GET /oauth/tokens/{tokenId}
oauth_consent POST /oauth/consent
validate_token GET /validator
login_saml GET /saml/login
saml_assert POST /saml/{companyId}/assert
saml_metadata GET /saml/{companyId}/metadata.xml
login_global_sso_oidc GET /global-sso/oidc/login
oidc_id_token_login GET /oidc-client/jwt
poll_backchannel_session GET /backchannel-sessions/{sessionId}
get_authentication_about GET /about
/api
ping GET /svc/ping
/api/svc/enduser/v1.0
get_own_user GET /users/me
/api/svc/admin/v1.0
list_users GET /users
get_user GET /users/{userId}
create_user POST /users
update_user PUT /users/{userId}
delete_user DELETE /users/{userId}
/api/svc/enduser/v1.0
change_own_password PUT /users/{userId}/change-password
get_mfa GET /users/{userId}/mfa
enable_mfa PUT /users/{userId}/mfa
verify_mfa POST /users/{userId}/mfa/verify
disable_mfa DELETE /users/{userId}/mfa
reset_mfa_recovery_code DELETE /users/{userId}/mfa/recovery
delete_mfa_trusted_applications DELETE /users/{userId}/mfa/trusted
delete_mfa_trusted_application DELETE /users/{userId}/mfa/trusted/{appId}
/api/svc/admin/v1.0
list_company_mfa_settings GET /companies/{companyId}/settings/svcmfa
create_company_mfa_setting POST /companies/{companyId}/settings/svcmfa
get_company_mfa_setting GET /companies/{companyId}/settings/svcmfa/{mfaId}
update_company_mfa_setting PUT /companies/{companyId}/settings/svcmfa/{mfaId}
delete_company_mfa_setting DELETE /companies/{companyId}/settings/svcmfa/{mfaId}
list_client_versions GET /clientsversions
create_client_version POST /clientsversions
get_client_version GET /clientsversions/{clientId}
update_client_version PUT /clientsversions/{clientId}
delete_client_version DELETE /clientsversions/{clientId}
/api
get_avatar GET /avatar/{entityId}
get_splashscreen_image GET /splashscreen/{companyId}
/api/svc/admin/v1.0
set_bot_company_avatar POST /bots/{botId}/companies/{companyId}/avatar
upload_company_avatar POST /companies/{companyId}/avatar
delete_company_avatar DELETE /companies/{companyId}/avatar
get_company GET /companies/{companyId}
update_company PUT /companies/{companyId}
delete_company DELETE /companies/{companyId}
list_companies GET /companies
create_company POST /companies
get_default_company GET /companies/default
list_company_administrators GET /companies/{companyId}/administrators
/api/svc/enduser/v1.0
get_company_as_user GET /companies/{companyId}
list_countries GET /countries
/api/svc/admin/v1.0
list_catalogs GET /catalogs
list_all_offers GET /offers
list_sites GET /sites
create_site POST /sites
get_site GET /sites/{siteId}
update_site PUT /sites/{siteId}
delete_site DELETE /sites/{siteId}
upload_splashscreen POST /companies/{companyId}/splashscreen
delete_splashscreen DELETE /companies/{companyId}/splashscreen
get_splashscreen_info GET /companies/{companyId}/splashscreen
choose_splashscreen PUT /companies/{companyId}/splashscreen
apply_template POST /customisations/templates/apply
create_template POST /customisations/templates
list_templates GET /customisations/templates
get_template GET /customisations/templates/{templateId}
update_template PUT /customisations/templates/{templateId}
delete_template DELETE /customisations/templates/{templateId}
/api/svc/applications/v1.0
list_applications GET /applications
create_application POST /applications
get_application GET /applications/{appId}
update_application PUT /applications/{appId}
restart_application PUT /applications/{appId}/restart
stop_application PUT /applications/{appId}/stop
delete_application DELETE /applications/{appId}
/api/svc/subscription/v1.0
list_company_offers GET /companies/{companyId}/offers
get_company_offer GET /companies/{companyId}/offers/{offerId}
create_quotation POST /companies/{companyId}/quotations
create_company_subscription POST /companies/{companyId}/subscriptions
list_company_subscriptions GET /companies/{companyId}/subscriptions
get_company_subscription GET /companies/{companyId}/subscriptions/{subscriptionId}
update_company_subscription PUT /companies/{companyId}/subscriptions/{subscriptionId}
delete_company_subscription DELETE /companies/{companyId}/subscriptions/{subscriptionId}
list_company_invoices GET /companies/{companyId}/invoices
get_company_invoice_file GET /companies/{companyId}/invoices/files/{fileId}
check_applicant_number GET /companies/check-applicant-number/{bpApplicantNumber}
/api/svc/admin/v1.0
assign_licence POST /users/{userId}/profiles/subscriptions/{subscriptionId}
unassign_licence DELETE /users/{userId}/profiles/subscriptions/{subscriptionId}
list_user_profiles GET /users/{userId}/profiles
/api/svc/voiceprovisioning/v1.0
list_cloudpbxs GET /cloudpbxs
create_cloudpbx POST /cloudpbxs
/api/svc/voiceprovisioning/v1.0/cloudpbxs/{systemId}
get_cloudpbx GET
update_cloudpbx PUT
delete_cloudpbx DELETE
get_cloudpbx_barring_options GET /barring-options
get_cloudpbx_custom_numbers_restriction GET /barring-options/custom-numbers-restriction
replace_cloudpbx_custom_numbers_restriction PUT /barring-options/custom-numbers-restriction
get_cloudpbx_cli_options GET /cli-options
update_cloudpbx_cli_options PUT /cli-options
list_cloudpbx_languages GET /languages
list_cloudpbx_device_models GET /devicemodels
get_cloudpbx_emergency_numbers GET /emergency-numbers
toggle_default_ddi POST /sites/{siteId}/phone-numbers/ddi/{phoneNumberId}/default
set_default_ddi POST /phone-numbers/ddi/{phoneNumberId}/default
get_ddi_number GET /phone-numbers/ddi/{phoneNumberId}
list_ddi_numbers GET /phone-numbers/ddi
create_ddi_number POST /phone-numbers/ddi
delete_ddi_number DELETE /phone-numbers/ddi/{phoneNumberId}
assign_ddi_to_user POST /phone-numbers/ddi/{phoneNumberId}/users/{userId}
unassign_ddi_from_user DELETE /phone-numbers/ddi/{phoneNumberId}/users/{userId}
list_free_internal_numbers GET /phone-numbers/free
list_subscribers GET /subscribers
/api/svc/admin/v1.0
list_system_phone_numbers GET /systems/{systemId}/phone-numbers
/api/svc/voiceprovisioning/v1.0/cloudpbxs/{systemId}
create_subscriber POST /subscribers
get_subscriber GET /subscribers/{phoneNumberId}
delete_subscriber DELETE /subscribers/{phoneNumberId}
assign_device_to_subscriber POST /subscribers/{phoneNumberId}/devices
list_subscriber_devices GET /subscribers/{phoneNumberId}/devices
get_subscriber_device GET /subscribers/{phoneNumberId}/devices/{deviceId}
unassign_device_from_subscriber DELETE /subscribers/{phoneNumberId}/devices/{deviceId}
list_subscriber_registrations GET /subscribers/{phoneNumberId}/registrations
get_subscriber_cli_options GET /subscribers/{phoneNumberId}/cli-options
get_subscriber_pstn_device_options GET /subscribers/{phoneNumberId}/pstn-device-options
update_subscriber_pstn_device_options PUT /subscribers/{phoneNumberId}/pstn-device-options
get_subscriber_sip_headers GET /subscribers/{phoneNumberId}/sip-headers
update_subscriber_sip_headers PUT /subscribers/{phoneNumberId}/sip-headers
get_subscriber_barge_options GET /subscribers/{phoneNumberId}/barge-options
update_subscriber_barge_options PUT /subscribers/{phoneNumberId}/barge-options
update_subscriber_barring PUT /subscribers/{phoneNumberId}/barring-options
update_subscriber_call_forward PUT /subscribers/{phoneNumberId}/call-forward-options
get_subscriber_overflow GET /subscribers/{phoneNumberId}/overflow
update_subscriber_overflow PUT /subscribers/{phoneNumberId}/overflow
get_subscriber_overflow_status GET /subscribers/{phoneNumberId}/overflow/status
set_subscriber_recording_profile PUT /subscribers/{phoneNumberId}/recordings
list_sip_devices GET /devices
create_sip_device POST /devices
get_sip_device GET /devices/{deviceId}
update_sip_device PUT /devices/{deviceId}
delete_sip_device DELETE /devices/{deviceId}
list_sip_device_registrations GET /devices/{deviceId}/registrations
add_sip_device_expansion_module POST /devices/{deviceId}/expansion-modules
get_recording GET /recordings/{recordId}
list_recordings GET /recordings
delete_recordings DELETE /recordings
set_recording_announcement_profile PUT /recordings/announcement-profile
/api/svc/voiceprovisioning/v1.0
list_recordings_across_companies GET /recordings
/api/svc/voiceprovisioning/v1.0/cloudpbxs/{systemId}
create_welcome_service POST /ivrs/welcomeservices
list_welcome_services GET /ivrs/welcomeservices
update_welcome_service POST /ivrs/{ivrId}
delete_ivr DELETE /ivrs/{ivrId}
list_welcomes GET /ivrs/welcomes
create_welcome POST /ivrs/welcomes
get_welcome GET /ivrs/welcomes/{welcomeId}
list_office_hours GET /ivrs/officehours
create_office_hours POST /ivrs/officehours
get_office_hours GET /ivrs/officehours/{officeHoursId}
/api/svc/voiceprovisioning/v1.0
get_external_trunk GET /external-trunks/{externalTrunkId}
list_external_trunks GET /external-trunks
/api/svc/metrics/v1.0
list_bp_company_stats GET /analyticmetrics/companies/{companyId}/customers
get_company_stats GET /analyticmetrics/companies/{companyId}
get_company_daily_stats GET /analyticmetrics/companies/{companyId}/daily
export_customers_flat_stats GET /analyticmetrics/companies/{companyId}/customers/flat
get_application_usage GET /cpaasmetrics/{applicationId}
list_usage_groups GET /cpaasmetrics/apiGroupsMapping
get_owner_usage GET /cpaasmetrics/owners/{ownerId}
/api/svc/invoicing/v1.0
list_invoice_files GET /invoices
download_invoice_file GET /invoices/{invoicePath}
/api/svc/massprovisioning/v1.0
check_directory_csv POST /directories/imports/synchronize/check
import_directory_csv POST /directories/imports
import_directory_csv_synchronize POST /directories/imports/synchronize
check_company_directory_csv POST /directories/imports/check
check_personal_directory_csv POST /directories/imports/personal/check
import_personal_directory_csv POST /directories/imports/personal
get_company_import_status GET /directories/imports/{companyId}
get_company_import_report GET /directories/imports/{companyId}/report
get_company_import_details GET /directories/imports/{companyId}/details
delete_company_import_report DELETE /directories/imports/{companyId}/report
get_personal_import_status GET /directories/imports/personal
get_personal_import_report GET /directories/imports/personal/report
get_personal_import_details GET /directories/imports/personal/details
delete_personal_import_report DELETE /directories/imports/personal/report
get_command_check_report GET /directories/imports/synchronize/check/{commandId}/report
get_command_import_report GET /directories/imports/synchronize/{commandId}/report
create_command_report POST /directories/imports/synchronize/{commandId}/report
export_directory_synchronized GET /directories/synchronize
/api/svc/directory/v1.0
list_directory_entries GET /entries
create_directory_entry POST /entries
get_directory_entry GET /entries/{entryId}
update_directory_entry PUT /entries/{entryId}
delete_directory_entry DELETE /entries/{entryId}
delete_company_directory DELETE /companies/{companyId}
"""


def specified() -> list[tuple[str, str, str]]:
    """Name, method and path of each operation."""
    found, portal = [], ""
    for line in filter(None, _TABLE.split("\n")):
        name, method, path = (*line.split(), "")[:3] if " " in line else ("", "", "")
        if name:
            found.append((name, method, portal + path))
        else:
            portal = line
    return found
