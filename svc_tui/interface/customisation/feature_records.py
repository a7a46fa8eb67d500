"""The records with one field for each feature key (2.8)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from pydantic import create_model

from svc_tui.interface.customisation.features import FEATURES, SAME
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.language import _


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", key).lower()


def _record(name: str, text: str, *, company: bool, same: bool) -> type[Record]:
    fields: dict[str, Any] = {}
    for feature in FEATURES:
        values = ((SAME, *feature.values) if same else feature.values) if feature.values else ()
        kind: Any = Literal[values] | None if values else int | None
        limits: dict[str, Any] = {} if values else {"ge": 0, "unit": "s"}
        default = feature.company_default if company else feature.default
        fields[_snake(feature.key)] = (
            kind,
            field(default, wire=feature.key, help=feature.help, group=feature.group, **limits),
        )
    made: type[Record] = create_model(name, __base__=Record, __doc__=text, __module__=__name__, **fields)
    return made


if TYPE_CHECKING:

    class CompanyFeatures(Record):
        """The feature keys of a company."""

    class TemplateFeatures(Record):
        """The feature keys in a body of a template."""

    class ReadFeatures(Record):
        """The feature keys of any template; `Same as company` has values of users."""

else:
    CompanyFeatures = _record("CompanyFeatures", _("The feature keys of a company."), company=True, same=False)
    TemplateFeatures = _record(
        "TemplateFeatures", _("The feature keys in a body of a template."), company=False, same=False
    )
    ReadFeatures = _record("ReadFeatures", _("The feature keys of a template."), company=False, same=True)
