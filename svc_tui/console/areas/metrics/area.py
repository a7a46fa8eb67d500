"""The area metrics, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.metrics import home, resources
from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import LAST_DAYS, Glance
from svc_tui.language import _

AREA = Area(
    title=_("Metrics"),
    resources=(*resources.RESOURCES,),
    actions=(*resources.ACTIONS,),
    glances=(
        Glance(name="calls", title=LAST_DAYS, screens=("home",), operation="get_company_daily_stats", read=home.calls),
    ),
)
