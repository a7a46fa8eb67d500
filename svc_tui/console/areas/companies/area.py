"""The area companies, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.companies import company_overview, home, resources, templates, user_overview, value_sources
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.language import _

AREA = Area(
    title=_("Companies"),
    resources=(
        *resources.RESOURCES,
        *templates.RESOURCES,
    ),
    actions=(
        *resources.ACTIONS,
        *templates.ACTIONS,
    ),
    overview={
        "companies": company_overview.SECTIONS,
        "users": user_overview.SECTIONS,
    },
    attention=(
        Attention(
            one=_("company is in alert"),
            several=_("companies are in alert"),
            place="companies",
            filter="status:alerting",
            count=home.alerting,
            lengths=("companies",),
        ),
        Attention(
            one=_("company is on hold"),
            several=_("companies are on hold"),
            place="companies",
            filter="status:hold",
            count=home.on_hold,
        ),
    ),
    tasks=(SuggestedTask(text=_("Open a company with everything that belongs to it"), place="companies"),),
    value_sources=value_sources.SOURCES,
)
