"""Templates in the store: fields that every one of them has."""

from __future__ import annotations

from typing import Literal

from svc_tui.interface.customisation.records import Template, TemplateType
from svc_tui.interface.fields import field


class StoredTemplate(Template):
    id: str = field(...)
    name: str = field(...)
    visibility: Literal["public", "private"] = field(...)
    type: TemplateType = field(...)
