"""The area subscriptions, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.subscriptions import licence_resources, overview, quotation_actions, resources
from svc_tui.console.core.area import Area

AREA = Area(
    resources=(
        *resources.RESOURCES,
        *overview.RESOURCES,
        *licence_resources.RESOURCES,
    ),
    actions=(
        *resources.ACTIONS,
        *overview.ACTIONS,
        *licence_resources.ACTIONS,
        *quotation_actions.ACTIONS,
    ),
    value_sources="areas.subscriptions.value_sources:SOURCES",
)
