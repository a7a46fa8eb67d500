"""The licences of a user, in the overview of the user."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.console.core.overview import Entry, Facts, Remedy, Section
from svc_tui.console.core.places import Place
from svc_tui.interface.errors import Finding
from svc_tui.interface.subscriptions.descriptions import licence_findings
from svc_tui.language import _

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
