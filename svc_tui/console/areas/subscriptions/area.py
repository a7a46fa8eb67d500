"""The area subscriptions, as the console registers it: its section of a user, and the lists that fields choose from."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.console.areas.subscriptions import (
    company_overview,
    home,
    licence_resources,
    overview,
    quotation_actions,
    reports,
    resources,
)
from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import Glance
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import RelatedList
from svc_tui.console.core.value_sources import Source
from svc_tui.interface.errors import Finding
from svc_tui.interface.subscriptions.descriptions import licence_findings
from svc_tui.language import _
from svc_tui.workspace.subscriptions.licences import LicenceHoldings
from svc_tui.workspace.subscriptions.reports import licences

SOURCES: dict[str, Source] = {
    "offers": Source("list_all_offers", "id", "name", "groupName", "name"),
    "offer_groups": Source("list_all_offers", "groupName", "name", "groupName", "name"),
}


#: What this section reads.
LICENCES = "licences"


def _place(facts: Facts) -> Place | None:
    user = facts.record.get("id")
    return Place(("users", str(user), "licences")) if user else None


def _entries(facts: Facts) -> Iterator[Entry]:
    names = [str(each.get("offerName") or "?") for each in facts.rows(LICENCES) or ()]
    yield Entry(_("Licences"), ", ".join(names), LICENCES)


def _findings(facts: Facts) -> Iterator[Finding]:
    yield from licence_findings(facts.rows(LICENCES) or ())


def _subscriptions(facts: Facts) -> Remedy | None:
    company = facts.record.get("companyId")
    return Remedy(Place(("companies", str(company), "subscriptions"))) if company else None


SECTIONS = (
    Section(
        title=_("Account"),
        reads={LICENCES: _place},
        entries=_entries,
        findings=_findings,
        remedies={"licences.status": _subscriptions},
    ),
)


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
        "users": SECTIONS,
    },
    value_sources=SOURCES,
    document=(licences,),
    holdings=(LicenceHoldings(),),
)
