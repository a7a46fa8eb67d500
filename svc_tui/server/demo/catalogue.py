"""Offers, catalogs, and what each company of the demo data subscribed: as far as companies depend on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from svc_tui.server.demo.companies import DEFAULT, TERMINATED
from svc_tui.server.demo.dates import Calendar, number, pick
from svc_tui.server.demo.ids import id_of
from svc_tui.server.store.tables import Document

#: key, name, business model, group, prepaid months (0: none), what else
_OFFERS: tuple[tuple[str, str, str, str, int, Document], ...] = (
    ("essential", "Essential", "none", "Essential", 0, {"isDefault": True, "isFreemium": True, "autoSubscribe": True}),
    ("business", "Business", "nb_users", "Business", 0, {"isMonthly": True}),
    ("business-1y", "Business, one year", "nb_users", "Business", 12, {}),
    ("enterprise", "Enterprise", "nb_users", "Enterprise", 0, {"isMonthly": True, "hasWebinar": True}),
    ("enterprise-3y", "Enterprise, three years", "nb_users", "Enterprise", 36, {"hasWebinar": True}),
    ("attendant", "Attendant", "nb_users", "Attendant", 0, {"isMonthly": True, "hasVoice": True}),
    ("voice", "Voice Business", "nb_users", "Voice", 0, {"hasVoice": True, "isExclusive": True}),
    ("voice-phone", "Voice Phone", "nb_users", "Voice", 0, {"hasVoice": True, "isVoicePhone": True}),
    ("conference", "Conference", "usage", "Conference", 0, {"hasConference": True}),
    ("dial-in", "Dial In", "flat_fee", "Conference", 0, {"hasConference": True, "businessSpecific": ["DIALIN"]}),
    ("alert", "Alert", "nb_services", "Alert", 0, {}),
    ("appconnect", "AppConnect", "usage", "Developers", 0, {"isCpaas": True, "isAppConnect": True}),
    ("trial", "Trial", "nb_users", "Business", 0, {"isDemo": True, "canBeSold": False}),
    ("old-business", "Business (old)", "nb_users", "Business", 0, {"canBeSold": False, "isArchived": True}),
)
_PAID = ("business", "business-1y", "enterprise", "enterprise-3y", "voice", "conference")
_STATES = ("active",) * 6 + ("alerting", "hold", "terminated")
#: Companies that pay for nothing.
_FREE = (DEFAULT, TERMINATED, "juniper", "willow", "quarry")


def offers(calendar: Calendar) -> Iterator[Document]:
    """What can be subscribed."""
    for key, name, model, group, months, more in _OFFERS:
        yield {
            "id": id_of("offer", key),
            "name": name,
            "description": f"{name}: see the price list.",
            "offerReference": key,
            "profileId": id_of("profile", key),
            "businessModel": model,
            "groupName": group,
            "isDefault": False,
            "canBeSold": key != "essential",
            "isPrepaid": months > 0,
            **({"prepaidDuration": months} if months else {}),
            "isExclusive": False,
            "autoSubscribe": False,
            "sapReference": f"3EY{number(f'sap/{key}', 99_999):05d}AA",
            "creationDate": calendar.ago(1_500 + number(f"offer/{key}", 300), key),
            **more,
        }


def catalogs(calendar: Calendar) -> Iterator[Document]:
    """Which offers stand together."""
    everything = [key for key, *_ in _OFFERS]
    for key, name, held in (
        ("default", "Standard", everything),
        ("partners", "Partners", [each for each in everything if each not in ("trial", "old-business")]),
        ("america", "North America", ["essential", "business", "enterprise", "conference"]),
    ):
        yield {
            "id": id_of("catalog", key),
            "name": name,
            "description": f"Offers of the catalog {name}.",
            "isDefault": key == "default",
            "offersList": [id_of("offer", each) for each in held],
            "creationDate": calendar.ago(1_400, f"catalog/{key}"),
        }


def subscriptions(calendar: Calendar, keys: Iterable[str]) -> Iterator[Document]:
    """Each company has the default one; most pay for one or two more."""
    known = {key: (name, model) for key, name, model, *_ in _OFFERS}
    for company in keys:
        held = ["essential"]
        if company not in _FREE:
            held += dict.fromkeys(pick(f"paid/{company}/{index}", _PAID) for index in range(1 + number(company, 2)))
        for offer in held:
            name, model = known[offer]
            yield _subscription(calendar, company, offer, name, model)


def _subscription(calendar: Calendar, company: str, offer: str, name: str, model: str) -> Document:
    key = f"{company}/{offer}"
    default = offer == "essential"
    return {
        "id": id_of("company subscription", key),
        "companyId": id_of("company", company),
        "offerId": id_of("offer", offer),
        "offerName": name,
        "offerReference": offer,
        "profileId": id_of("profile", offer),
        "profileName": name,
        "businessModel": model,
        "isDefault": default,
        "status": "active" if default else pick(f"state/{key}", _STATES),
        "syncOngoing": False,
        "creationDate": calendar.ago(30 + number(f"subscription/{key}", 900), key),
        **({} if default else {"maxNumberUsers": 5 * (1 + number(f"licences/{key}", 30))}),
    }
