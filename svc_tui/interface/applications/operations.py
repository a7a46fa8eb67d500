"""Operations on applications (4.5)."""

from __future__ import annotations

from svc_tui.interface.access import Role, access
from svc_tui.interface.applications.records import Application, ApplicationCreation, ApplicationQuery, ApplicationUpdate
from svc_tui.interface.envelopes import Done, FormatQuery, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation

_READ_ANY = (Role.SUPERADMIN, Role.APP_SUPERADMIN, Role.APP_SUPPORT, Role.SUPPORT)
_WRITE_ANY = (Role.SUPERADMIN, Role.APP_SUPERADMIN)

LIST_ACCESS = access(any=_READ_ANY, own_company=[role for role in Role if role not in _READ_ANY])
READ_ACCESS = access(any=_READ_ANY, own_company=(Role.APP_ADMIN, Role.BP_FINANCE), own=(Role.APP_ADMIN,))
CREATE_ACCESS = access(any=_WRITE_ANY, own=(Role.APP_ADMIN,))
WRITE_ACCESS = access(any=_WRITE_ANY, own=(Role.APP_ADMIN,))

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_OWNER, Code.NOT_FOUND)
_ALL = "/api/svc/applications/v1.0/applications"
_ONE = _ALL + "/{appId}"

list_applications = Operation(
    "list_applications",
    "4.5",
    "GET",
    _ALL,
    "List the applications that the caller may see",
    Page[Application],
    LIST_ACCESS,
    query=ApplicationQuery,
    refuses=_REFUSALS,
)

create_application = Operation(
    "create_application",
    "4.5",
    "POST",
    _ALL,
    "Create an application",
    Single[Application],
    CREATE_ACCESS,
    body=ApplicationCreation,
    refuses=(*_REFUSALS, Code.ALREADY_EXISTS),
    creates="applications",
)

get_application = Operation(
    "get_application",
    "4.5",
    "GET",
    _ONE,
    "Get an application",
    Single[Application],
    READ_ACCESS,
    query=FormatQuery,
    refuses=_REFUSALS,
)

update_application = Operation(
    "update_application",
    "4.5",
    "PUT",
    _ONE,
    "Update an application",
    Single[Application],
    WRITE_ACCESS,
    body=ApplicationUpdate,
    refuses=(*_REFUSALS, Code.NOTHING_TO_UPDATE, Code.ALREADY_EXISTS),
    updates="applications",
)

stop_application = Operation(
    "stop_application",
    "4.5",
    "PUT",
    _ONE + "/stop",
    "Stop an application so that users can no longer use it",
    Single[Application],
    WRITE_ACCESS,
    refuses=_REFUSALS,
    updates="applications",
    undone_by="restart_application",
)

restart_application = Operation(
    "restart_application",
    "4.5",
    "PUT",
    _ONE + "/restart",
    "Restart a stopped application",
    Single[Application],
    WRITE_ACCESS,
    refuses=_REFUSALS,
    updates="applications",
    undone_by="stop_application",
)

delete_application = Operation(
    "delete_application",
    "4.5",
    "DELETE",
    _ONE,
    "Delete an application",
    Done,
    WRITE_ACCESS,
    refuses=_REFUSALS,
    deletes="applications",
)

__all__ = [
    "CREATE_ACCESS",
    "LIST_ACCESS",
    "READ_ACCESS",
    "WRITE_ACCESS",
    "create_application",
    "delete_application",
    "get_application",
    "list_applications",
    "restart_application",
    "stop_application",
    "update_application",
]
