"""The area applications, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.applications import resource
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, Job

AREA = Area(
    title="Applications",
    resources=(*resource.RESOURCES,),
    actions=(*resource.ACTIONS,),
    attention=(
        Attention(
            one="application is blocked",
            several="applications are blocked",
            place="applications",
            filter="state:blocked",
            count="areas.applications.home:blocked",
        ),
    ),
    jobs=(Job(text="Find an application and see how much it is used", place="applications"),),
)
