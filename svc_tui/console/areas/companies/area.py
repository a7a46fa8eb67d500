"""The area companies, as the console registers it: numbers for the start page, the company of a user, value lists."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.console.areas.companies import company_overview, resources, templates
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, Number, SharedReads, SuggestedTask, since
from svc_tui.console.core.overview import Entry, Facts, Section
from svc_tui.console.core.places import Place
from svc_tui.console.core.value_sources import Source
from svc_tui.interface.value_words import word
from svc_tui.language import _


async def alerting(reads: SharedReads) -> Number:
    """The number of companies in alert."""
    return await _with_status(reads, "alerting")


async def on_hold(reads: SharedReads) -> Number:
    """The number of companies on hold."""
    return await _with_status(reads, "hold")


async def _with_status(reads: SharedReads, status: str) -> Number:
    """Counted here among few companies, and by the service among many."""
    companies, total = await reads.companies()
    if total <= len(companies):
        found = [each for each in companies if each.get("status") == status]
        oldest = min((str(each["statusUpdatedDate"]) for each in found if each.get("statusUpdatedDate")), default="")
        return Number(len(found), totals={"companies": total}, age=since(oldest, reads.workspace.now()))
    body = await reads.read("list_companies", {}, {"status": status, "limit": 1, "offset": 0})
    return Number(int(body.get("total") or 0), totals={"companies": total})


SOURCES: dict[str, Source] = {
    "countries": Source("list_countries", "isoAlpha3Code", "fullname", "isoAlpha3Code", translated=True),
    "catalogs": Source("list_catalogs", "id", "name", "description", "name"),
}


#: What this section reads.
COMPANY = "company"


def _company(facts: Facts) -> Place | None:
    company = facts.record.get("companyId")
    return Place(("companies", str(company))) if company else None


def _entries(facts: Facts) -> Iterator[Entry]:
    company = facts.one(COMPANY) or {}
    parts = (
        company.get("name") or facts.record.get("companyName"),
        word(company.get("status") or ""),
        facts.known(COMPANY).error_message,
    )
    yield Entry(_("Company"), "   ".join(str(part) for part in parts if part), COMPANY)


SECTIONS = (Section(title=_("Account"), reads={COMPANY: _company}, entries=_entries),)


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
        "users": SECTIONS,
    },
    attention=(
        Attention(
            one=_("company is in alert"),
            several=_("companies are in alert"),
            place="companies",
            filter="status:alerting",
            count=alerting,
            lengths=("companies",),
        ),
        Attention(
            one=_("company is on hold"),
            several=_("companies are on hold"),
            place="companies",
            filter="status:hold",
            count=on_hold,
        ),
    ),
    tasks=(SuggestedTask(text=_("Open a company with everything that belongs to it"), place="companies"),),
    value_sources=SOURCES,
)
