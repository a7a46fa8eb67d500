"""The area metrics, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.metrics import resources
from svc_tui.console.core.area import Area
from svc_tui.language import _

AREA = Area(
    title=_("Metrics"),
    resources=(*resources.RESOURCES,),
    actions=(*resources.ACTIONS,),
)
