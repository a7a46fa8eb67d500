"""Templates: records, bodies and queries (2.8, 4.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator

from svc_tui.interface.access import Role, access
from svc_tui.interface.customisation.feature_records import ReadFeatures, TemplateFeatures
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.visible_text import seen
from svc_tui.language import _

TemplateType = Literal["default_company", "default_user", "private_default_company", "other"]

TYPES = {
    "default_company": _("the public template Full"),
    "default_user": _("the public template Same as company"),
    "private_default_company": _("the private template of a standalone company"),
    "other": _("another public template, or a private template of a company"),
}
#: Names of the two public templates that always exist.
FULL, SAME_AS_COMPANY = "Full", _("Same as company")

#: A company that may use a template of its partner (BP) does not learn which other customers the partner has.
VISIBILITY_READERS = access(any=(Role.SUPERADMIN, Role.SUPPORT), own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN))
_NAME: dict[str, Any] = {"min_length": 1, "max_length": 64, "group": _("Template")}


class Template(ReadFeatures):
    """A customisation template."""

    SMALL: ClassVar = ("id", "name", "visibility")
    MEDIUM: ClassVar = (*SMALL, "visibleBy", "type", "createdBy", "creationDate", "ownedByCompany")
    ALWAYS: ClassVar = SMALL

    id: str | None = field(None, help="Identifier", group="Template")
    name: str | None = field(None, help="Name, unique in the owning company", **_NAME)
    visibility: Literal["public", "private"] | None = field(
        None, help="Public templates are shared by all companies and read-only", group="Template"
    )
    visible_by: list[str] | None = field(
        None,
        refers="companies",
        readers=VISIBILITY_READERS,
        help="Companies that can use it; only for administrators of the owning company",
        group="Template",
    )
    type: TemplateType | None = field(None, choices=TYPES, help="Kind of template", group="Template")
    created_by: str | None = field(None, refers="users", group="Template")
    creation_date: datetime | None = field(None, group="Template")
    owned_by_company: str | None = field(None, refers="companies", help="The owning company", group="Template")


#: A name that is given to a template.
_Name = Annotated[str, AfterValidator(seen)]


class TemplateUpdate(TemplateFeatures):
    """The update: the fields that change."""

    name: _Name | None = field(None, help="Name, unique in the owning company", **_NAME)
    visible_by: list[str] | None = field(None, refers="companies", help="Companies that can use it", group="Template")


class TemplateBody(TemplateFeatures):
    """A new template, which is private. Missing keys have their defaults."""

    name: _Name = field(..., help="Name, unique in the owning company", **_NAME)
    owned_by_company: str | None = field(
        None, refers="companies", help="The owning company; empty for your own", group="Template"
    )
    visible_by: list[str] | None = field(None, refers="companies", help="Companies that can use it", group="Template")


class TemplateApplication(Record):
    """The application of a template: its name, and either a company or a user."""

    name: str = field(..., help="Name of the template", **_NAME)
    company_id: str | None = field(None, refers="companies", help="Company to apply the template to")
    user_id: str | None = field(None, refers="users", help="User to apply the template to")


class TemplateQuery(ListQuery):
    """Filters of the list of templates."""

    company_id: str | None = field(None, refers="companies", help="Templates of this company (superadmin, support)")
    sort_field: str | None = field("name", help="Field to sort by")


__all__ = [
    "FULL",
    "SAME_AS_COMPANY",
    "TYPES",
    "Template",
    "TemplateApplication",
    "TemplateBody",
    "TemplateQuery",
    "TemplateType",
    "TemplateUpdate",
]
