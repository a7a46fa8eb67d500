"""The area metrics, as the console registers it, with its numbers on the start page."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.console.areas.metrics import resources
from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import DAYS, LAST_DAYS, Glance, GlanceRow
from svc_tui.console.core.home import SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import managed
from svc_tui.language import _, number_text
from svc_tui.workspace.metrics.series import daily, single


async def calls(reads: SharedReads) -> Sequence[GlanceRow]:
    """The calls, answered and missed, of each of the last days."""
    caller = reads.workspace.caller
    if caller is None:
        return ()
    company = caller.company_id
    partner = reads.workspace.decide("list_bp_company_stats", managed(company, caller))
    scope = "bp" if partner else "ec"
    answer = await reads.read("get_company_daily_stats", {"companyId": company}, {"scope": scope})
    found = single(daily("", answer if isinstance(answer, dict) else {}), "usages_webrtc").values[-DAYS:]
    if not any(found):
        return ()
    link = Link(Place(("companies", company, "statistics")))
    return (GlanceRow(_("Calls"), number_text(found[-1] or 0), link, days=tuple(found), newest=_("today")),)


AREA = Area(
    title=_("Metrics"),
    resources=(*resources.RESOURCES,),
    actions=(*resources.ACTIONS,),
    glances=(
        Glance(name="calls", title=LAST_DAYS, screens=("home",), operation="get_company_daily_stats", read=calls),
    ),
)
