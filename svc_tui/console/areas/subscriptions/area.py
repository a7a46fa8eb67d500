"""The area subscriptions, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.subscriptions import licence_resources, overview, quotation_actions, resources
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.resource import RelatedList
from svc_tui.language import _

AREA = Area(
    title=_("Subscriptions"),
    resources=(
        *resources.RESOURCES,
        *overview.RESOURCES,
        *licence_resources.RESOURCES,
    ),
    actions=(
        *resources.ACTIONS,
        *overview.ACTIONS,
        *licence_resources.ACTIONS,
        *quotation_actions.ACTIONS,
    ),
    related={
        "companies": (RelatedList("B", "subscriptions", "Subscriptions"), RelatedList("O", "offers", "Offers")),
        "users": (RelatedList("L", "licences", "Licences"),),
    },
    attention=(
        Attention(
            one=_("subscription ends, renews or runs out of licences"),
            several=_("subscriptions end, renew or run out of licences"),
            place="overview",
            count="areas.subscriptions.home:due",
            lengths=("subscriptions",),
        ),
    ),
    tasks=(
        SuggestedTask(text=_("See what more licences would cost"), place="subscriptions", operation="create_quotation"),
    ),
    overview={
        "companies": "areas.subscriptions.company_overview:SECTIONS",
        "users": "areas.subscriptions.user_overview:SECTIONS",
    },
    value_sources="areas.subscriptions.value_sources:SOURCES",
)
