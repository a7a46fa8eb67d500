"""The area applications, as the console registers it, with its number on the start page."""

from __future__ import annotations

from svc_tui.console.areas.applications import resource
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, Number, SharedReads, SuggestedTask
from svc_tui.language import _
from svc_tui.workspace.applications.holdings import ApplicationHoldings


async def blocked(reads: SharedReads) -> Number:
    """The number of blocked applications."""
    body = await reads.read("list_applications", {}, {"state": "blocked", "limit": 1, "offset": 0})
    return Number(int(body.get("total") or 0))


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
            count=blocked,
        ),
    ),
    tasks=(
        SuggestedTask(
            text=_("Find an application and see how much it is used"),
            place="applications",
            operation="get_application_usage",
        ),
    ),
    holdings=(ApplicationHoldings(),),
)
