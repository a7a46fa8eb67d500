"""The area applications, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.applications import home, resource
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.language import _

AREA = Area(
    title=_("Applications"),
    resources=(*resource.RESOURCES,),
    actions=(*resource.ACTIONS,),
    attention=(
        Attention(
            one=_("application is blocked"),
            several=_("applications are blocked"),
            place="applications",
            filter="state:blocked",
            count=home.blocked,
        ),
    ),
    tasks=(
        SuggestedTask(
            text=_("Find an application and see how much it is used"),
            place="applications",
            operation="get_application_usage",
        ),
    ),
)
