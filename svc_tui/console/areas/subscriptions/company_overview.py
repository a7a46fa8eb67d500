"""The subscriptions of a company at a glance: how many there are, what needs attention, and whose licences run out;
and one subscription."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from svc_tui.console.areas.subscriptions.cells import renewal, seats, state
from svc_tui.console.areas.subscriptions.resources import STATES
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section, SetupStep
from svc_tui.console.core.places import Place
from svc_tui.console.widgets.formatting import day, share, until, whole_day
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import is_soon
from svc_tui.interface.errors import Finding
from svc_tui.language import _, number_text
from svc_tui.workspace.subscriptions.overview import days_left, subscription_findings

#: What this section reads.
SUBSCRIPTIONS, COMPANY = "subscriptions", "company"
#: Most subscriptions whose licences are shown, the fullest first.
_FULLEST = 4
#: Columns of the bar of assigned licences.
_BAR = 10
#: Fields of findings that an edit of the subscription changes.
_EDITED = ("expirationDate", "maxNumberUsers")


def _place(facts: Facts, *below: str) -> Place:
    return Place(("companies", str(facts.record["id"]), SUBSCRIPTIONS, *below))


def _entries(facts: Facts) -> Iterator[Entry]:
    rows = facts.rows(SUBSCRIPTIONS)
    if not rows:
        yield Entry(_("Subscriptions"), read=SUBSCRIPTIONS)
        return
    counts = Counter(state(each) for each in rows)
    states = ", ".join(f"{count} {_(STATES.get(word, (word,))[0])}" for word, count in counts.most_common())
    yield Entry(_("Subscriptions"), states, SUBSCRIPTIONS)
    counted = [each for each in rows if each.get("businessModel") == "nb_users" and each.get("maxNumberUsers")]
    for each in sorted(counted, key=_share, reverse=True)[:_FULLEST]:
        yield Entry(
            _("Licences"),
            f"{_bar(each)} {seats(each):<9} {each.get('offerName')}",
            place=_place(facts, str(each.get("id"))),
        )
    ending = [(left, each) for each in rows if (left := days_left(each, facts.now.date())) is not None and left >= 0]
    if ending:
        __, first = min(ending, key=lambda pair: pair[0])
        when = until(first.get("expirationDate"), facts.now.date())
        text = f"{whole_day(first.get('expirationDate'))}   {when}   {first.get('offerName')}"
        yield Entry(_("Next end"), text, place=_place(facts, str(first.get("id"))), asked=True)


def _bar(subscription: RecordData) -> str:
    return share(subscription.get("numberAssignedUsers") or 0, subscription.get("maxNumberUsers") or 0, _BAR)


def _setup(facts: Facts) -> Iterator[SetupStep]:
    """A subscription beside the default one, and a licence of it that is assigned."""
    rows = facts.rows(SUBSCRIPTIONS)
    bought = [each for each in rows or () if not each.get("isDefault") and each.get("status") not in ("terminated",)]
    offers = Remedy(Place(("companies", str(facts.record["id"]), "offers")))
    done, advice = None if rows is None else bool(bought), _("Subscribe to an offer with voice.")
    yield SetupStep(20, _("subscription"), done, advice, offers, operation="create_company_subscription")
    if rows is not None:
        given = any(each.get("numberAssignedUsers") for each in bought)
        place = _place(facts, str(bought[0].get("id")), "holders") if bought else None
        remedy = Remedy(place, "holders.assign") if place else offers
        yield SetupStep(
            70, _("licences"), given, _("Assign the licences to users."), remedy, operation="assign_licence"
        )
    else:
        yield SetupStep(70, _("licences"), None)


def _share(subscription: RecordData) -> float:
    return int(subscription.get("numberAssignedUsers") or 0) / int(subscription["maxNumberUsers"])


def _findings(facts: Facts) -> Iterator[Finding]:
    yield from subscription_findings(facts.rows(SUBSCRIPTIONS) or (), facts.now)


def _remedy(facts: Facts, finding: Finding) -> Remedy | None:
    return Remedy(_place(facts, finding.record_id), "edit" if finding.field in _EDITED else "")


def _changes(facts: Facts) -> Iterator[Entry]:
    for each in facts.rows(SUBSCRIPTIONS) or ():
        if at := each.get("creationDate"):
            text = _("Subscribed to {offer}").format(offer=each.get("offerName"))
            yield Entry(day(at), text, place=_place(facts, str(each.get("id"))), at=str(at))


SECTIONS = (
    Section(
        title=_("Subscriptions"),
        reads={SUBSCRIPTIONS: _place},
        entries=_entries,
        findings=_findings,
        setup=_setup,
        remedy=_remedy,
    ),
    Section(title=_("Last changes"), latest=True, entries=_changes),
)


def _of_one(facts: Facts) -> Iterator[Entry]:
    """What matters about one subscription."""
    subscription = facts.record
    if subscription.get("maxNumberUsers") is not None:
        yield Entry(_("Licences"), f"{_bar(subscription)} {seats(subscription)}", asked=True)
        assigned = number_text(int(subscription.get("numberAssignedUsers") or 0))
        yield Entry(_("Holders"), assigned, place=_of_record(facts, "holders"))
    end = subscription.get("expirationDate")
    text = f"{whole_day(end)}   {until(end, facts.now.date())}".rstrip() if end else _("no end")
    yield Entry(_("Ends"), text, asked=True, style="warn" if is_soon(end, facts.now.date()) else "")
    if text := renewal(subscription):
        yield Entry(_("Renewal"), text, asked=True)
    if company := subscription.get("companyId"):
        name = str((facts.one(COMPANY) or {}).get("name") or "")
        yield Entry(_("Company"), name, COMPANY, Place(("companies", str(company))))


def _of_record(facts: Facts, *below: str) -> Place | None:
    company = facts.record.get("companyId")
    return Place(("companies", str(company), SUBSCRIPTIONS, str(facts.record.get("id")), *below)) if company else None


def _company(facts: Facts) -> Place | None:
    company = facts.record.get("companyId")
    return Place(("companies", str(company))) if company else None


def _change(facts: Facts, finding: Finding) -> Remedy | None:
    place = _of_record(facts)
    return Remedy(place, "edit") if place and finding.field in _EDITED else None


OF_SUBSCRIPTION = (
    Section(
        title=_("Subscription"),
        reads={COMPANY: _company},
        only_shown=frozenset({COMPANY}),
        entries=_of_one,
        findings=lambda facts: subscription_findings([facts.record], facts.now),
        remedy=_change,
    ),
)
