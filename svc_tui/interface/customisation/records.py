"""The records with one field for each feature key (2.8)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, create_model

from svc_tui.interface.access import Role, access
from svc_tui.interface.customisation.features import FEATURES, SAME
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.texts import seen
from svc_tui.language import _

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


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", key).lower()


def _record(name: str, text: str, *, of: str, same: bool = False) -> type[Record]:
    """`of` whom the keys are: their defaults differ, and a user has none. With `same`, also the values of users."""
    fields: dict[str, Any] = {}
    for feature in FEATURES:
        values = ((SAME, *feature.values) if same else feature.values) if feature.values else ()
        kind: Any = Literal[values] | None if values else int | None
        limits: dict[str, Any] = {} if values else {"ge": 0, "unit": "s"}
        default = {"company": feature.company_default, "template": feature.default, "user": None}[of]
        fields[_snake(feature.key)] = (
            kind,
            field(default, wire=feature.key, help=feature.help, group=feature.group, **limits),
        )
    made: type[Record] = create_model(name, __base__=Record, __doc__=text, __module__=__name__, **fields)
    return made


if TYPE_CHECKING:

    class CompanyFeatures(Record):
        """The feature keys of a company."""

    class UserFeatures(Record):
        """The feature keys of a user."""

    class TemplateFeatures(Record):
        """The feature keys in a body of a template."""

    class ReadFeatures(Record):
        """The feature keys of any template; `Same as company` has values of users."""

else:
    CompanyFeatures = _record("CompanyFeatures", _("The feature keys of a company."), of="company")
    UserFeatures = _record("UserFeatures", _("The feature keys of a user."), of="user", same=True)
    TemplateFeatures = _record("TemplateFeatures", _("The feature keys in a body of a template."), of="template")
    ReadFeatures = _record("ReadFeatures", _("The feature keys of a template."), of="template", same=True)


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
