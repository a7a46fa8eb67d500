"""A company at a glance: status, partner, users, sites and last changes, and findings about the company itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from svc_tui.console.areas.companies.facts import country_in_words, kind_in_words
from svc_tui.console.areas.companies.resources import STATUSES
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section, SetupStep
from svc_tui.console.core.places import Place
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.companies.findings import company_findings
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Finding
from svc_tui.language import _, number_text

# What this section reads.
PARTNER, SITES, USERS = "partner", "sites", "users"
#: Dates of a company, and what changed then.
_CHANGES = {
    "creationDate": _("created"),
    "statusUpdatedDate": _("status changed"),
    "lastAvatarUpdateDate": _("avatar changed"),
    "lastBannerUpdateDate": _("banner changed"),
}
#: Most sites that are named.
_SITES = 3


def _place(facts: Facts, *below: str) -> Place:
    return Place(("companies", str(facts.record["id"]), *below))


def _partner(facts: Facts) -> Place | None:
    partner = facts.record.get("bpId")
    return Place(("companies", str(partner))) if partner else None


def _users(facts: Facts) -> Place | None:
    """The list of users, where the record does not count them."""
    counts = facts.whole is None or facts.whole.get("numberUsers") is not None
    return None if counts else _place(facts, USERS)


def _entries(facts: Facts) -> Iterator[Entry]:
    company = facts.record
    status = str(company.get("status") or "")
    word, style = STATUSES.get(status, (status, ""))
    word = _(word)
    text = "   ".join(str(part) for part in (word, _kind(company), country_in_words(company)) if part)
    yield Entry(_("Status"), text, style="" if style == "ok" else style)
    if not facts.complete or facts.place(PARTNER):
        yield Entry(_("Partner"), str((facts.one(PARTNER) or {}).get("name") or ""), PARTNER)
    users = company.get("numberUsers")
    total = facts.known(USERS).total if users is None and facts.rows(USERS) is not None else users
    yield Entry(_("Users"), "" if total is None else number_text(total), USERS, _place(facts, USERS), asked=True)
    rows = facts.rows(SITES)
    names = ", ".join(str(each.get("name")) for each in (rows or ())[:_SITES])
    more = (
        _(" and {total} more").format(total=facts.known(SITES).total - _SITES)
        if facts.known(SITES).total > _SITES
        else ""
    )
    yield Entry(_("Sites"), f"{names}{more}", SITES, _place(facts, SITES))


def _setup(facts: Facts) -> Iterator[SetupStep]:
    users, rows = facts.record.get("numberUsers"), facts.rows(SITES)
    count = facts.known(USERS).total if users is None and facts.rows(USERS) is not None else users
    new_site, new_user = Remedy(_place(facts, SITES), "new"), Remedy(_place(facts, USERS), "new")
    yield SetupStep(
        10,
        _("site"),
        None if rows is None else bool(rows),
        _("Create the first site."),
        new_site,
        operation="create_site",
    )
    yield SetupStep(
        60,
        _("users"),
        None if count is None else count > 0,
        _("Create the first user."),
        new_user,
        operation="create_user",
    )


def _changes(facts: Facts) -> Iterator[Entry]:
    for wire, what in _CHANGES.items():
        if at := facts.record.get(wire):
            yield Entry(written(at)[:10], _("Company {what}").format(what=what), at=str(at))


def _kind(company: RecordData) -> str:
    """What kind of company it is: an abbreviation is for columns."""
    return _("partner ({kind})").format(kind=kind_in_words(None, company)) if company.get("isBP") else _("end customer")


def _findings(facts: Facts) -> Iterable[Finding]:
    return company_findings(facts.record)


def _edit(facts: Facts, finding: Finding) -> Remedy | None:
    return Remedy(_place(facts), "edit")


SECTIONS = (
    Section(
        title=_("Company"),
        reads={PARTNER: _partner, SITES: lambda facts: _place(facts, SITES), USERS: _users},
        only_shown=frozenset({PARTNER, SITES, USERS}),
        entries=_entries,
        findings=_findings,
        setup=_setup,
        remedy=_edit,
    ),
    Section(title=_("Last changes"), latest=True, entries=_changes),
)
