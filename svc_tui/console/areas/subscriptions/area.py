"""The area subscriptions, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.subscriptions import (
    company_overview,
    home,
    licence_resources,
    overview,
    quotation_actions,
    reports,
    resources,
    user_overview,
    value_sources,
)
from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import Glance
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.resource import RelatedList
from svc_tui.language import _
from svc_tui.workspace.subscriptions.reports import licences

AREA = Area(
    title=_("Subscriptions"),
    resources=(
        *resources.RESOURCES,
        *overview.RESOURCES,
        *licence_resources.RESOURCES,
        *reports.RESOURCES,
    ),
    actions=(
        *resources.ACTIONS,
        *overview.ACTIONS,
        *licence_resources.ACTIONS,
        *quotation_actions.ACTIONS,
        *reports.ACTIONS,
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
            count=home.due,
            lengths=("subscriptions",),
        ),
    ),
    glances=(
        Glance(
            name="licences",
            title=_("Licences"),
            screens=("dashboard",),
            operation="list_company_subscriptions",
            read=home.licences,
        ),
        Glance(
            name="due",
            title=_("Due"),
            screens=("dashboard",),
            operation="list_company_subscriptions",
            read=home.next_due,
        ),
    ),
    tasks=(
        SuggestedTask(text=_("See what more licences would cost"), place="subscriptions", operation="create_quotation"),
    ),
    overview={
        "companies": company_overview.SECTIONS,
        "subscriptions": company_overview.OF_SUBSCRIPTION,
        "users": user_overview.SECTIONS,
    },
    value_sources=value_sources.SOURCES,
    document=(licences,),
)
