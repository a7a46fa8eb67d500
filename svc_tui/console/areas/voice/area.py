"""The area voice, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.voice import (
    company_overview,
    home,
    overviews,
    recordings,
    resources,
    subscribers,
    summaries,
    user_overview,
    value_sources,
    welcome_services,
)
from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import Glance
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.resource import RelatedList
from svc_tui.language import _
from svc_tui.workspace.voice.document import telephony

AREA = Area(
    title=_("Voice"),
    resources=(
        *resources.RESOURCES,
        *subscribers.RESOURCES,
        *recordings.RESOURCES,
        *welcome_services.RESOURCES,
        *overviews.REPORTS,
    ),
    actions=(
        *resources.ACTIONS,
        *subscribers.ACTIONS,
        *recordings.ACTIONS,
        *welcome_services.ACTIONS,
    ),
    glances=(
        Glance(
            name="systems",
            title=_("Telephone systems"),
            screens=("dashboard",),
            operation="list_cloudpbxs",
            read=home.systems,
        ),
    ),
    attention=(
        Attention(
            one=_("range of numbers is nearly used up"),
            several=_("ranges of numbers are nearly used up"),
            place="report-numbers",
            filter="freeShare:<0.1 size:>=10",
            count=home.nearly_used_up,
        ),
    ),
    tasks=(SuggestedTask(text=_("Trace where a dialled number goes"), place="cloudpbxs"),),
    related={
        "companies": (RelatedList("V", "cloudpbxs", "CloudPBX"), RelatedList("R", "allrecordings", "Recordings")),
    },
    overview={
        "companies": company_overview.SECTIONS,
        "cloudpbxs": overviews.OF_CLOUDPBX,
        "subscribers": overviews.OF_SUBSCRIBER,
        "users": user_overview.SECTIONS,
    },
    value_sources=value_sources.SOURCES,
    summaries=summaries.SUMMARIES,
    document=(telephony,),
)
