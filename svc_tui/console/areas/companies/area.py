"""The area companies, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.companies import resources, templates
from svc_tui.console.core.area import Area

AREA = Area(
    title="Companies",
    resources=(
        *resources.RESOURCES,
        *templates.RESOURCES,
    ),
    actions=(
        *resources.ACTIONS,
        *templates.ACTIONS,
    ),
    overview={"users": "areas.companies.user_overview:SECTIONS"},
    value_sources="areas.companies.value_sources:SOURCES",
)
