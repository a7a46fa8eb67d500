"""The area applications, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.applications import resource
from svc_tui.console.core.area import Area

AREA = Area(
    title="Applications",
    resources=(*resource.RESOURCES,),
    actions=(*resource.ACTIONS,),
)
