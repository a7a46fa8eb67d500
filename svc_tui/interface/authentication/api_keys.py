"""API keys (2.1, 4.1)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Literal

from svc_tui.interface.access import OWNER, Role, access
from svc_tui.interface.envelopes import ListQuery, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record
from svc_tui.language import _

#: Largest number of keys per user (section 8).
MOST_KEYS = 100

_PURPOSE = _("Purpose of the key")
_ACTIVE = _("Whether the key can be used")
_EXPIRES = _("End of validity; empty means never")

KEY_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_FOUND)


class ApiKey(Record):
    """An API key, as read. The key value is only in the answer to its creation."""

    SMALL: ClassVar = ("id", "description")
    MEDIUM: ClassVar = (*SMALL, "scope", "isActive", "expirationDate")
    ALWAYS: ClassVar = ("id", "description")

    id: str | None = field(None, help="Identifier", group="Key")
    description: str | None = field(None, help=_PURPOSE, group="Key", personal=True)
    is_active: bool | None = field(None, help=_ACTIVE, group="Key")
    scope: list[Literal["all"]] | None = field(None, help="Access that the key gives", group="Key")
    expiration_date: datetime | None = field(None, help=_EXPIRES, group="Key")
    user_id: str | None = field(None, label="Owner", group="Owner", refers="users")
    login_email: str | None = field(None, label="Owner's login", group="Owner", personal=True)
    creation_date: datetime | None = field(None, group="Origin")
    last_update_date: datetime | None = field(None, group="Origin")
    client_metadata: dict[str, Any] | None = field(
        None, label="Client", help="Program and address that created the key", group="Origin", personal=True
    )
    created_by: dict[str, Any] | None = field(None, help="User and application that created the key", group="Origin")
    api_key: str | None = field(
        None, help="Value of the key, shown only once", group="Key", secret=True, only_in=("create_api_key",)
    )


class ApiKeyCreation(Record):
    """Body of the creation."""

    description: str = field(..., help=_PURPOSE, group="Key")
    is_active: bool = field(..., help=_ACTIVE, group="Key", suggested=True)
    scope: list[Literal["all"]] = field(
        ..., min_length=1, help="Access that the key gives; the only scope is all", group="Key", suggested=["all"]
    )
    expiration_date: datetime | None = field(None, help=_EXPIRES, group="Key", ends=True)


class ApiKeyUpdate(Record):
    """Body of the update."""

    description: str = field(..., help=_PURPOSE, group="Key")
    is_active: bool = field(..., help=_ACTIVE, group="Key")
    expiration_date: datetime | None = field(None, help=_EXPIRES, group="Key", ends=True)


class ApiKeyQuery(ListQuery):
    """Filters of the key list."""

    DEFAULT_SORT: ClassVar = "creationDate"

    is_active: bool | None = field(None, help="Active keys, or all others")
    from_creation_date: datetime | None = field(
        None, filters=("creationDate",), label="Created from", help="Created at this time or later"
    )
    to_creation_date: datetime | None = field(
        None, filters=("creationDate",), label="Created until", help="Created at this time or earlier"
    )
    user_id: str | None = field(None, label="Owner", help="Keys of this user; for administrators", refers="users")
    sort_field: str | None = field("creationDate", help="Field to sort by")
    sort_order: Literal[-1, 1] = field(-1, help="1 ascending, -1 descending")


RESPONSIBLE = access(
    own=Role,
    any=(Role.SUPERADMIN,),
    end_customers=(Role.BP_ADMIN,),
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_company=(Role.COMPANY_ADMIN,),
    site=(Role.SITE_ADMIN,),
)

_KEYS = "/api/svc/authentication/v1.0/apikeys"
_KEY = _KEYS + "/{apiKeyId}"

create_api_key = Operation(
    "create_api_key",
    "4.1",
    "POST",
    _KEYS,
    "Create an API key for the caller",
    Single[ApiKey],
    OWNER,
    body=ApiKeyCreation,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING),
    no_oauth=True,
    creates="apikeys",
)

list_api_keys = Operation(
    "list_api_keys",
    "4.1",
    "GET",
    _KEYS,
    "List the caller's API keys, or those of a managed user",
    Page[ApiKey],
    RESPONSIBLE,
    query=ApiKeyQuery,
    refuses=KEY_REFUSALS,
    no_oauth=True,
)

get_current_api_key = Operation(
    "get_current_api_key",
    "4.1",
    "GET",
    _KEYS + "/current",
    "Get the API key of this request",
    Single[ApiKey],
    OWNER,
    credentials=Credentials.API_KEY,
    refuses=(Code.ROLE_MISSING,),
)

get_api_key = Operation(
    "get_api_key",
    "4.1",
    "GET",
    _KEY,
    "Get an API key",
    Single[ApiKey],
    RESPONSIBLE,
    refuses=KEY_REFUSALS,
    no_oauth=True,
)

update_api_key = Operation(
    "update_api_key",
    "4.1",
    "PUT",
    _KEY,
    "Update an API key",
    Single[ApiKey],
    RESPONSIBLE,
    body=ApiKeyUpdate,
    refuses=KEY_REFUSALS,
    no_oauth=True,
    updates="apikeys",
)

delete_api_key = Operation(
    "delete_api_key",
    "4.1",
    "DELETE",
    _KEY,
    "Delete an API key",
    Single[ApiKey],
    RESPONSIBLE,
    refuses=KEY_REFUSALS,
    no_oauth=True,
    deletes="apikeys",
)

__all__ = [
    "ApiKey",
    "ApiKeyCreation",
    "ApiKeyQuery",
    "ApiKeyUpdate",
    "MOST_KEYS",
    "RESPONSIBLE",
    "create_api_key",
    "delete_api_key",
    "get_api_key",
    "get_current_api_key",
    "list_api_keys",
    "update_api_key",
]
