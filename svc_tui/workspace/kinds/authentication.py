"""Kinds of records: API keys, OAuth tokens, client versions and companies' settings of two-factor authentication."""

from svc_tui.workspace.kinds.kind import Kind, PeriodFilter, ServerFilter
from svc_tui.workspace.kinds.search_rule import SearchRule

KINDS = (
    Kind(
        "apikeys",
        "list_api_keys",
        "get_api_key",
        parameter="apiKeyId",
        identifiers=("loginEmail",),
        user_field="userId",
        period_filters={"creationDate": PeriodFilter("fromCreationDate", "toCreationDate")},
    ),
    Kind(
        "clientsversions",
        "list_client_versions",
        "get_client_version",
        parameter="clientId",
        text_column="name",
        server_filters={"name": ServerFilter("name")},
    ),
    Kind(
        "oauthtokens",
        "list_oauth_tokens",
        "get_oauth_token",
        parameter="tokenId",
        text_column="appName",
        identifiers=("appId",),
        user_field="userId",
    ),
    Kind("mfasettings", "list_company_mfa_settings", "get_company_mfa_setting", id="mfaId", parameter="mfaId"),
)
SEARCH_RULES = (
    SearchRule("apikeys", order=44, holds={"name": ("description",)}, shows=("userId",)),
    SearchRule("oauthtokens", order=46, holds={"name": ("appName",), "id": ("appId",)}),
)
