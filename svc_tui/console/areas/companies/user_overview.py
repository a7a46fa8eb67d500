"""The company of a user, in the overview of the user."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.console.core.overview import Entry, Facts, Section
from svc_tui.console.core.places import Place
from svc_tui.interface.value_words import word
from svc_tui.language import _

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
