"""Subscriptions of the demo data: every status and term, most of them in Northwind Telecom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.dates import months_after
from svc_tui.interface.typed_access import typed
from svc_tui.server.billing import rate_card
from svc_tui.server.demo.accounts import FABRIKAM, LOGISTICS, NORTHWIND, OPERATOR, PARTNER, STORM, account
from svc_tui.server.demo.companies import DEFAULT, TERMINATED
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick
from svc_tui.server.store.tables import Document

#: Fields that a subscription takes from its offer.
_OF_OFFER = (
    "sapReference",
    "offerReference",
    "profileId",
    "businessModel",
    "isDefault",
    "isExclusive",
    "groupName",
    "bpBusinessType",
    "billingOfferId",
    "billingProductRatePlanId",
    "billingProductRatePlanChargeId",
    "prepaidDuration",
)
_PREPAID = {"autoRenew": True, "renewalTermOption": "initial", "paymentPeriod": "annual"}
#: A promotional code and its number of months.
_PROMOTED, _PROMOTED_MONTHS = "WELCOME10", 12


@dataclass(frozen=True, slots=True)
class DemoSubscription:
    """A subscription of a named company; `promoted`: with a promotional code since its creation.

    `assigned` is the number of assigned licences (None: all). `made` is its age in days, `ends` the days until its
    end. `added` licences are from this month.
    """

    offer: str
    seats: int = 1
    assigned: int | None = None
    made: int = 400
    ends: int | None = None
    status: str = "active"
    added: int = 0
    this_month: bool = False
    promoted: bool = False
    more: Document = field(default_factory=dict)


_DAY = timedelta(days=1)
#: Index of the demo company's application that AppConnect pays for.
_PAID_FOR = 4
_SYNCING: Document = {"syncOngoing": True}
_ENDING: Document = {**_PREPAID, "autoRenew": False}

SUBSCRIPTIONS: Mapping[str, tuple[DemoSubscription, ...]] = {
    NORTHWIND: (
        DemoSubscription(
            "business", 50, 41, 610, more={"purchaseOrderNumber": "PO-2201", "additionalPurchaseOrderNumber": "IT"}
        ),
        DemoSubscription("enterprise-3y", 20, 12, ends=25, more=_ENDING),
        DemoSubscription("voice", 10, 10, 320),
        DemoSubscription("voice-phone", 5, 1, 320),
        DemoSubscription("business-1y", 12, 5, added=4, this_month=True, more=_PREPAID, promoted=True),
        DemoSubscription(
            "attendant", 3, 2, 700, status="hold", more={"businessAdminComment": "On hold until the move is done."}
        ),
        DemoSubscription("conference", 0, 0, 900),
        DemoSubscription("dial-in", 1, 0, 60, ends=40),
        DemoSubscription("alert", 4, 0, 2, status="creating", more=_SYNCING),
        DemoSubscription("guardian", 8, 3, 150),
        DemoSubscription(
            "appconnect", 0, 0, 240, more={"applicationId": id_of("application", f"{NORTHWIND}/{_PAID_FOR}")}
        ),
        DemoSubscription("trial", 5, 0, 20, ends=10),
        DemoSubscription("voice-line", 60, None, 320),
        DemoSubscription("old-business", 30, 0, 1_400, status="terminated"),
    ),
    LOGISTICS: (
        DemoSubscription("business", 15, 8, 500),
        DemoSubscription("voice", 4, 4, 420, more=_SYNCING),
        DemoSubscription("voice-line", 12, None, 420),
        DemoSubscription("webinar", 1, 0, ends=52, more={**_PREPAID, "autoRenewToMonthly": True, "autoRenew": False}),
    ),
    "northwind-retail": (
        DemoSubscription("business-1y", 10, 7, ends=11, more=_PREPAID),
        DemoSubscription("edge", 1, 0, 80),
    ),
    PARTNER: (
        DemoSubscription("business", 200, None, 1_000),
        DemoSubscription("enterprise-3y", 40, 4, ends=85, more=_PREPAID),
        DemoSubscription("conference", 0, 0, 800),
        DemoSubscription("partner-demo", 10, 2, 300),
        DemoSubscription("voice-line", 8, 6, 310),
    ),
    "meridian": (
        DemoSubscription("business", 100, None, 700),
        DemoSubscription("enterprise", 25, 1, 420),
        DemoSubscription("conference", 0, 0, 500),
    ),
    "coast": (DemoSubscription("business", 30, None, 300), DemoSubscription("voice-phone", 12, 0, 200)),
    "lighthouse": (
        DemoSubscription("business", 60, None, 640),
        DemoSubscription("enterprise-3y", 25, 3, ends=130, more=_PREPAID),
        DemoSubscription("conference", 0, 0, 300),
    ),
    "sequoia": (DemoSubscription("business", 5, 5, 500), DemoSubscription("webinar", 1, 0, ends=20, more=_ENDING)),
    FABRIKAM: (
        DemoSubscription("enterprise", 12, 6, 330),
        DemoSubscription("cpaas-flat", 1, 0, 100, more={"applicationId": id_of("application", f"{FABRIKAM}/0")}),
    ),
    "bluebird": (
        DemoSubscription("business", 8, 6, 280),
        DemoSubscription("dial-in", 1, 0, 50, ends=6),
        DemoSubscription("recording", 1, 0, 90),
        DemoSubscription("voice-line", 8, None, 270),
    ),
    "cedar": (
        DemoSubscription("business", 40, None, 900, status="alerting"),
        DemoSubscription("alert", 6, 0, 40, status="failed"),
    ),
    "delta": (
        DemoSubscription("classroom", 25, None, 120),
        DemoSubscription("business-1y", 3, 3, ends=31, more=_ENDING),
    ),
    "elm": (
        DemoSubscription("business", 30, None, 400),
        DemoSubscription("enterprise", 2, 0, 45, status="terminating"),
        DemoSubscription("voice-line", 40, None),
    ),
    "oldmill": (
        DemoSubscription("business", 12, None, 380, status="hold"),
        DemoSubscription("voice", 6, 0, 90, status="unknown"),
    ),
    "aloe": (DemoSubscription("business", 3, None, 200), DemoSubscription("voice-phone", 4, 0, 60)),
    STORM: (
        DemoSubscription("business", 60, 20, 200),
        DemoSubscription("workshop", 9, 9, 150, more={"businessAdminComment": "One for each workshop."}),
        DemoSubscription("voice-line", 60, None, 150),
        DemoSubscription("night", 5, 2, 90, more={"purchaseOrderNumber": "PO-1921"}),
    ),
    OPERATOR: (DemoSubscription("enterprise", 50, None, 1_100),),
}
#: Companies without paid subscriptions.
_FREE = (DEFAULT, TERMINATED, "juniper", "willow", "quarry")
_PAID = ("business", "business-1y", "enterprise", "enterprise-3y", "voice", "conference")
_STATES = ("active",) * 6 + ("alerting", "hold", "terminated")
DEFAULT_OFFER = "essential"
#: The offer with an extension, and the licences that the large scale needs in the demo company.
LINE_OFFER = "voice-line"
_LARGE_LINES = 12_000


def subscriptions(
    calendar: Calendar, offers: Iterable[Document], companies: Mapping[str, Document], *, large: bool = False
) -> Iterator[Document]:
    """The subscriptions of each company (by key): the default offer, and usually one or more paid offers."""
    known = {each["offerReference"]: each for each in offers}
    for company, document in companies.items():
        for held in (DemoSubscription(DEFAULT_OFFER), *_held(company)):
            if large and company == NORTHWIND and held.offer == LINE_OFFER:
                held = replace(held, seats=_LARGE_LINES)
            yield _subscription(calendar, company, document, known[held.offer], held)


def _held(company: str) -> tuple[DemoSubscription, ...]:
    if company in _FREE:
        return ()
    if company in SUBSCRIPTIONS:
        return SUBSCRIPTIONS[company]
    return tuple(_some(company, offer) for offer in dict.fromkeys(_picked(company)))


def _picked(company: str) -> Iterator[str]:
    for index in range(1 + number(company, 2)):
        yield pick(f"paid/{company}/{index}", _PAID)


def _some(company: str, offer: str) -> DemoSubscription:
    """A generated subscription: all kinds and statuses, some ending soon, some with all licences assigned."""
    key = f"{company}/{offer}"
    status = pick(f"state/{key}", _STATES)
    seats = 5 * (1 + number(f"licences/{key}", 30))
    if offer == "conference":
        return DemoSubscription(offer, 0, 0, 30 + number(f"subscription/{key}", 900), status=status)
    if number(f"tight/{key}", 5) == 0:
        seats = 3
    if offer.endswith("y"):
        more = pick(f"renewal/{key}", (_PREPAID, _PREPAID, _ENDING))
        return DemoSubscription(offer, seats, None, ends=3 + number(f"ends/{key}", 360), status=status, more=more)
    return DemoSubscription(offer, seats, None, 30 + number(f"subscription/{key}", 900), status=status)


def _subscription(
    calendar: Calendar, company: str, document: Document, offer: Document, held: DemoSubscription
) -> Document:
    key = f"{company}/{held.offer}"
    months = int(offer.get("prepaidDuration") or 0)
    made, end = _term(calendar, held, months)
    if held.offer == DEFAULT_OFFER:
        made = date.fromisoformat(document["creationDate"][:10])
    currency = document.get("currency") or "EUR"
    found: Document = {
        "id": id_of("company subscription", key),
        "companyId": document["id"],
        "offerId": offer["id"],
        "offerName": offer["name"],
        "offerDescription": offer["description"],
        "offerTechnicalDescription": offer["technicalDescription"],
        "profileName": offer["name"],
        **{wire: offer[wire] for wire in _OF_OFFER if wire in offer},
        "status": held.status,
        "syncOngoing": False,
        "creationDate": calendar.on(made, key),
        "createdBy": _orderer(document),
        **held.more,
    }
    if offer["businessModel"] not in ("none", "usage"):
        found["maxNumberUsers"] = held.seats
    if end is not None:
        found["expirationDate"] = calendar.on(end, f"end/{key}")
    if "billingOfferId" in offer:
        found.update(
            bsSubscriptionId=f"BS-{number(f'bs/{key}', 999_999):06d}",
            billingSubscriptionId=id_of("billing subscription", key),
            unitPrice=float(rate_card.unit_price(typed(Offer, offer), made, currency=currency, months=months)),
            currency=currency,
        )
    if held.promoted:
        until = calendar.on(months_after(made, _PROMOTED_MONTHS) - _DAY, f"promotion/{key}")
        found["promoCode"] = {"name": _PROMOTED, "discountType": "percentage", "discountEndDate": until}
    if held.added:
        found["addOns"] = [{"date": calendar.on(made, f"add-on/{key}")[:10], "quantity": held.added}]
    if found["syncOngoing"]:
        # The synchronisation lasts longer than any demo.
        found.update(syncDue=calendar.ago(-3_650, key), syncAction="create" if held.status == "creating" else "update")
    return found


def _term(calendar: Calendar, held: DemoSubscription, months: int) -> tuple[date, date | None]:
    """The first day and, if there is one, the last day."""
    if held.this_month:
        made = calendar.this_month(2)
    elif held.ends is not None and months:
        made = months_after(calendar.today + timedelta(days=held.ends) + _DAY, -months)
    else:
        made = calendar.today - timedelta(days=held.made)
    if held.ends is not None:
        return made, calendar.today + timedelta(days=held.ends)
    return made, months_after(made, months) - _DAY if months else None


def _orderer(company: Document) -> Document:
    """The user who ordered: the partner's bp_finance for its customers, otherwise the superadmin."""
    if company["id"] != account("bp_finance").company_id and company.get("bpId") != account("bp_finance").company_id:
        who = account("superadmin")
        return {"loginEmail": who.login, "userId": who.id}
    who = account("bp_finance")
    return {"bpApplicantNumber": "AP-10-88", "loginEmail": who.login, "userId": who.id}
