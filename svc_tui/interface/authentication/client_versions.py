"""Minimum client versions per application, the reason for the refusal 403020 (4.1)."""

from __future__ import annotations

from typing import ClassVar

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Done, ListQuery, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.texts import VERSION

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_FOUND)


class ClientVersion(Record):
    """The minimum client version of an application."""

    ALWAYS: ClassVar = ("id", "version")

    id: str | None = field(None, label="Application", refers="applications")
    name: str | None = field(None, help="Application name")
    version: str | None = field(None, help="Minimum version for login, for example 1.75.0")


class ClientVersionCreation(Record):
    id: str = field(..., label="Application", min_length=1, refers="applications")
    version: str = field(..., pattern=VERSION, max_length=64, help="Minimum version for login, for example 1.75.0")


class ClientVersionUpdate(Record):
    version: str = field(..., pattern=VERSION, max_length=64, help="Minimum version for login, for example 1.75.0")


class ClientVersionQuery(ListQuery):
    """Filters of the list."""

    DEFAULT_SORT: ClassVar = "id"

    name: str | None = field(None, help="Part of the application name")
    type: str | None = field(None, help="Type of the application")
    sort_field: str | None = field("id", help="Field to sort by")


_WHO = access(any=(Role.SUPERADMIN,))
_ALL = "/api/svc/admin/v1.0/clientsversions"
_ONE = _ALL + "/{clientId}"

list_client_versions = Operation(
    "list_client_versions",
    "4.1",
    "GET",
    _ALL,
    "List minimum client versions",
    Page[ClientVersion],
    _WHO,
    query=ClientVersionQuery,
    refuses=_REFUSALS,
)

create_client_version = Operation(
    "create_client_version",
    "4.1",
    "POST",
    _ALL,
    "Set the minimum client version of an application",
    Single[ClientVersion],
    _WHO,
    body=ClientVersionCreation,
    refuses=(*_REFUSALS, Code.ALREADY_EXISTS),
    creates="clientsversions",
)

get_client_version = Operation(
    "get_client_version",
    "4.1",
    "GET",
    _ONE,
    "Get a minimum client version",
    Single[ClientVersion],
    _WHO,
    refuses=_REFUSALS,
)

update_client_version = Operation(
    "update_client_version",
    "4.1",
    "PUT",
    _ONE,
    "Update a minimum client version",
    Single[ClientVersion],
    _WHO,
    body=ClientVersionUpdate,
    refuses=_REFUSALS,
    updates="clientsversions",
)

delete_client_version = Operation(
    "delete_client_version",
    "4.1",
    "DELETE",
    _ONE,
    "Remove a minimum client version",
    Done,
    _WHO,
    refuses=_REFUSALS,
    deletes="clientsversions",
)

__all__ = [
    "ClientVersion",
    "ClientVersionCreation",
    "ClientVersionQuery",
    "ClientVersionUpdate",
    "create_client_version",
    "delete_client_version",
    "get_client_version",
    "list_client_versions",
    "update_client_version",
]
