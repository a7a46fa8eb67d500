"""One request for each operation: query and body, with the names of an estate's records in braces."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

_CSV = {"content": b"firstName;lastName\nAda;Lovelace\n", "headers": {"content-type": "text/csv"}}
_SYNCHRONISED = {
    "content": b"__action__;ldap_id;firstName;lastName\nupsert;crm-1;Ada;Lovelace\n",
    "headers": {"content-type": "text/csv"},
}
_RANGE = {"fromDate": "2026-03-01T00:00:00.000Z", "toDate": "2026-03-02T00:00:00.000Z"}
_OPEN = {"openHoursOverflow": {"type": "user", "destinationId": "{userId}"}}
_NEW_APPLICATION = {"name": "Made here", "type": "web", "activity": "J"}


#: What refuses those who may call, because of the state of an estate's records.
STATE = {
    "change_own_password": 401500,
    "create_cloudpbx": 409556,
    "create_quotation": 400000,
    "create_subscriber": 403622,
    "delete_cloudpbx": 403699,
    "delete_company": 403703,
    "delete_company_avatar": 404000,
    "delete_mfa_trusted_application": 404002,
    "delete_site": 403700,
    "delete_splashscreen": 404000,
    "enable_mfa": 400000,
    "get_company_invoice_file": 400000,
    "list_company_invoices": 400000,
    "reset_mfa_recovery_code": 400000,
    "set_bot_company_avatar": 404000,
    "unassign_licence": 404000,
    "verify_mfa": 401500,
}


def _image() -> dict[str, Any]:
    written = io.BytesIO()
    Image.new("RGB", (8, 8)).save(written, "PNG")
    return {"content": written.getvalue(), "headers": {"content-type": "image/png"}}


_BODIES: dict[str, dict[str, Any]] = {
    "create_api_key": {"description": "Made here", "isActive": True, "scope": ["all"]},
    "update_api_key": {"description": "Changed", "isActive": True},
    "create_user": {"loginEmail": "made@here.test", "firstName": "M", "lastName": "H", "companyId": "{companyId}"},
    "update_user": {"title": "Changed"},
    "change_own_password": {"oldPassword": "wrong", "newPassword": "Made-here-123"},
    "enable_mfa": {},
    "verify_mfa": {"token": "123456"},
    "create_company_mfa_setting": {"mfaName": "Made here", "mfaType": "totp"},
    "update_company_mfa_setting": {"mfaName": "Changed"},
    "create_client_version": {"id": "{appId}", "version": "1.2.3"},
    "update_client_version": {"version": "1.2.3"},
    "create_company": {"name": "Made here"},
    "update_company": {"customData": {"made": "here"}},
    "create_site": {"name": "Made here", "companyId": "{companyId}"},
    "update_site": {"name": "Changed"},
    "choose_splashscreen": {"uploadedUsed": False},
    "apply_template": {"name": "Full", "companyId": "{companyId}"},
    "create_template": {"name": "Made here", "ownedByCompany": "{companyId}"},
    "update_template": {"name": "Changed"},
    "create_application": _NEW_APPLICATION,
    "update_application": {"description": "Changed"},
    "create_quotation": {"subscriptionId": "{subscriptionId}", "maxNumberUsers": 90},
    "create_company_subscription": {"offerId": "{newOfferId}", "maxNumberUsers": 3},
    "update_company_subscription": {"maxNumberUsers": 90},
    "assign_licence": {},
    "create_cloudpbx": {"companyId": "{companyId}"},
    "update_cloudpbx": {"name": "Changed"},
    "replace_cloudpbx_custom_numbers_restriction": {"patterns": []},
    "update_cloudpbx_cli_options": {"userCanManageItsCli": True},
    "create_ddi_number": {"number": "+351219999999"},
    "assign_ddi_to_user": {},
    "create_subscriber": {"shortNumber": "2999", "userId": "{userId}"},
    "assign_device_to_subscriber": {"deviceId": "{deviceId}"},
    "update_subscriber_pstn_device_options": {"policy": "none"},
    "update_subscriber_sip_headers": {"customSipHeader_1": "X-A: b"},
    "update_subscriber_barge_options": {"telephonyBasicAttendantBargeIn": "disabled"},
    "update_subscriber_barring": {"permissions": "local"},
    "update_subscriber_call_forward": {"externalCallForward": "authorized"},
    "update_subscriber_overflow": {"value": "default", "unavailableOverflow": "default"},
    "set_subscriber_recording_profile": {"recordingProfile": "none"},
    "create_sip_device": {"deviceTypeId": "d2" * 12, "macAddress": "02:ff:ff:ff:ff:01"},
    "update_sip_device": {"description": "Changed"},
    "add_sip_device_expansion_module": {"type": "EM_20"},
    "set_recording_announcement_profile": {"announcementProfile": "none"},
    "create_welcome_service": {"name": "Made here", **_OPEN},
    "update_welcome_service": {"name": "Changed"},
    "create_welcome": {"name": "Made here"},
    "create_office_hours": {"name": "Made here", "officehours": {"openhours": [[] for _ in range(7)]}},
    "create_command_report": {"details": "Made here", "status": "success"},
    "create_directory_entry": {"companyId": "{companyId}", "lastName": "Made here"},
    "update_directory_entry": {"lastName": "Changed"},
}
#: Bodies for records of the caller's own, and of the caller's own company.
_OWN: dict[tuple[str, str], dict[str, Any]] = {
    ("create_directory_entry", "own"): {"lastName": "Made here"},
    ("update_company", "company"): {"slogan": "Changed"},
    ("create_company_subscription", "demo"): {"offerId": "{demoOfferId}", "maxNumberUsers": 3},
}
_QUERIES: dict[str, dict[str, str]] = {
    "list_api_keys": {"userId": "{userId}"},
    "list_users": {"companyId": "{companyId}"},
    "list_sites": {"companyId": "{companyId}"},
    "list_cloudpbxs": {"companyId": "{companyId}"},
    "list_applications": {"ownerId": "{userId}", "format": "full"},
    "list_invoice_files": {"companyId": "{companyId}"},
    "list_directory_entries": {"companyId": "{companyId}"},
    "list_recordings_across_companies": {"companyIds": "{companyId}"},
    "get_application_usage": _RANGE,
    "get_owner_usage": _RANGE,
    "delete_recordings": {"recordIds": "{recordId}"},
    "import_directory_csv": {"companyId": "{companyId}"},
    "check_company_directory_csv": {"companyId": "{companyId}"},
    "export_directory_synchronized": {"companyId": "{companyId}"},
    "get_avatar": {"update": "0" * 32},
    "get_splashscreen_image": {"size": "80"},
    "get_company": {"format": "full"},
    "get_user": {"format": "full"},
    "get_application": {"format": "full"},
}
_RAW = {
    **dict.fromkeys(("set_bot_company_avatar", "upload_company_avatar", "upload_splashscreen"), _image),
    **dict.fromkeys(("check_directory_csv", "import_directory_csv_synchronize"), lambda: _SYNCHRONISED),
    **dict.fromkeys(("import_directory_csv", "check_company_directory_csv"), lambda: _CSV),
    **dict.fromkeys(("check_personal_directory_csv", "import_personal_directory_csv"), lambda: _CSV),
}
#: Parameters of paths that have another name in an estate, by operation or by themselves.
_NAMED = {
    "applicationId": "appId",
    "ownerId": "userId",
    "entityId": "companyId",
    "botId": "userId",
    "sessionId": "userId",
}


def parameter(operation: str, name: str) -> str:
    """The record of an estate that a parameter of this operation's path names."""
    if name == "phoneNumberId":
        if "ddi" in operation:
            return "ddi" if operation.startswith(("unassign", "get")) else "free"
        return "subscriber"
    if name == "userId" and operation in ("update_user", "delete_user"):
        return "memberId"
    if name == "deviceId":
        assigned = ("get_subscriber_device", "unassign_device_from_subscriber")
        return "device" if operation in assigned else "deviceId"
    return _NAMED.get(name, name)


def is_about_a_record(operation: str) -> bool:
    """Whether the query or body of the request names a record of an estate."""
    return "'{" in repr((_QUERIES.get(operation), _BODIES.get(operation)))


def options_of(operation: str, place: str, ids: dict[str, str]) -> dict[str, Any]:
    """Query and body of the request to records of an estate."""
    options: dict[str, Any] = {}
    if operation in _QUERIES:
        options["params"] = _filled(_QUERIES[operation], ids)
    if operation in _BODIES:
        options["json"] = _filled(_OWN.get((operation, place), _BODIES[operation]), ids)
    if operation in _RAW:
        options |= _RAW[operation]()
    return options


def _filled(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, ids) for key, inner in value.items()}
    if isinstance(value, str) and value.startswith("{"):
        return ids[value[1:-1]]
    return value
