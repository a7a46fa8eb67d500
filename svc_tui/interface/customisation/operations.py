"""Operations on customisation templates (4.4)."""

from __future__ import annotations

from svc_tui.interface.access import Role, access
from svc_tui.interface.customisation.records import (
    Template,
    TemplateApplication,
    TemplateBody,
    TemplateQuery,
    TemplateUpdate,
)
from svc_tui.interface.envelopes import Done, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation

_ADMINS = (Role.BP_ADMIN, Role.COMPANY_ADMIN)
READ_TEMPLATES = access(any=(Role.SUPERADMIN, Role.SUPPORT), own_company=_ADMINS)
WRITE_TEMPLATES = access(any=(Role.SUPERADMIN,), own_company=_ADMINS)
#: The role bp_admin also applies templates to its end customers.
APPLY_TEMPLATES = access(any=(Role.SUPERADMIN,), own_company=_ADMINS, end_customers=(Role.BP_ADMIN,))

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_ALL = "/api/svc/admin/v1.0/customisations/templates"
_ONE = _ALL + "/{templateId}"

list_templates = Operation(
    "list_templates",
    "4.4",
    "GET",
    _ALL,
    "List the templates that a company can use",
    Page[Template],
    READ_TEMPLATES,
    query=TemplateQuery,
    refuses=_REFUSALS,
)

create_template = Operation(
    "create_template",
    "4.4",
    "POST",
    _ALL,
    "Create a private template",
    Single[Template],
    WRITE_TEMPLATES,
    body=TemplateBody,
    refuses=(*_REFUSALS, Code.INCONSISTENT_TEMPLATE, Code.ALREADY_EXISTS),
    creates="templates",
)

apply_template = Operation(
    "apply_template",
    "4.4",
    "POST",
    _ALL + "/apply",
    "Apply a template to a company or a user",
    Done,
    APPLY_TEMPLATES,
    body=TemplateApplication,
    refuses=_REFUSALS,
)

get_template = Operation(
    "get_template",
    "4.4",
    "GET",
    _ONE,
    "Get a template",
    Single[Template],
    READ_TEMPLATES,
    refuses=_REFUSALS,
)

update_template = Operation(
    "update_template",
    "4.4",
    "PUT",
    _ONE,
    "Update a private template",
    Single[Template],
    WRITE_TEMPLATES,
    body=TemplateUpdate,
    refuses=(*_REFUSALS, Code.NOTHING_TO_UPDATE, Code.INCONSISTENT_TEMPLATE, Code.ALREADY_EXISTS),
    updates="templates",
)

delete_template = Operation(
    "delete_template",
    "4.4",
    "DELETE",
    _ONE,
    "Delete a private template; its companies use Full again",
    Done,
    WRITE_TEMPLATES,
    refuses=_REFUSALS,
    deletes="templates",
)

__all__ = [
    "APPLY_TEMPLATES",
    "READ_TEMPLATES",
    "WRITE_TEMPLATES",
    "apply_template",
    "create_template",
    "delete_template",
    "get_template",
    "list_templates",
    "update_template",
]
