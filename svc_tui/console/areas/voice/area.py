"""The area voice, as the console registers it, and the lists that its fields choose from."""

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
    welcome_services,
)
from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import Glance
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.resource import RelatedList
from svc_tui.console.core.value_sources import Source
from svc_tui.language import _
from svc_tui.workspace.voice.bulk_create import phone_file
from svc_tui.workspace.voice.document import telephony
from svc_tui.workspace.voice.holdings import TelephoneHoldings

#: What belongs to the CloudPBX of a place.
_OF_PBX = {"systemId": "cloudpbxs"}

SOURCES: dict[str, Source] = {
    "devicemodels": Source("list_cloudpbx_device_models", "id", "model", "vendor", path=_OF_PBX),
    "freenumbers": Source("list_free_internal_numbers", "number", "number", path=_OF_PBX),
    "extensions": Source("list_system_phone_numbers", "userId", "names", "shortNumber", "name", path=_OF_PBX),
    # No operation lists attendants: those that welcome services call are known.
    "attendants": Source("list_welcome_services", "voiceAutoAttendantId", "voiceAutoAttendantName", path=_OF_PBX),
}


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
            more=home.ask_devices,
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
    value_sources=SOURCES,
    summaries=summaries.SUMMARIES,
    document=(telephony,),
    holdings=(TelephoneHoldings(),),
    phone_file=phone_file,
)
