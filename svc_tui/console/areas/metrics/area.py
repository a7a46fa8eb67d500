"""The area metrics, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.metrics import resources
from svc_tui.console.core.area import Area

AREA = Area(
    title="Metrics",
    resources=(*resources.RESOURCES,),
    actions=(*resources.ACTIONS,),
)
