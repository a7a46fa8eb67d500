"""Offers and catalogs of the demo data: every business model and kind, some with price changes to come."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.typed_access import typed
from svc_tui.server.billing import rate_card
from svc_tui.server.demo.repeatable import Calendar, id_of, number
from svc_tui.server.store.tables import Document

#: key, name, business model, group, prepaid months (0: none), other fields
_OFFERS: tuple[tuple[str, str, str, str, int, Document], ...] = (
    ("essential", "Essential", "none", "Essential", 0, {"isDefault": True, "autoSubscribe": True}),
    ("business", "Business", "nb_users", "Business", 0, {"isMonthly": True}),
    ("business-1y", "Business, one year", "nb_users", "Business", 12, {}),
    ("enterprise", "Enterprise", "nb_users", "Enterprise", 0, {"isMonthly": True, "hasWebinar": True}),
    ("enterprise-3y", "Enterprise, three years", "nb_users", "Enterprise", 36, {"hasWebinar": True}),
    ("attendant", "Attendant", "nb_users", "Attendant", 0, {"isMonthly": True, "hasVoice": True}),
    ("voice", "Voice Business", "nb_users", "Voice", 0, {"isMonthly": True, "hasVoice": True}),
    ("voice-phone", "Voice Phone", "nb_users", "Voice", 0, {"isMonthly": True, "hasVoice": True}),
    ("voice-line", "Voice Line", "nb_users", "Voice", 0, {"isMonthly": True, "hasVoice": True}),
    ("conference", "Conference", "usage", "Conference", 0, {"hasConference": True}),
    ("dial-in", "Dial In", "flat_fee", "Conference", 0, {"isMonthly": True, "hasConference": True}),
    ("alert", "Alert", "nb_services", "Alert", 0, {"isMonthly": True}),
    ("webinar", "Webinar Room", "flat_fee", "Conference", 12, {"hasWebinar": True}),
    ("recording", "Recording for all users", "nb_users", "Voice", 0, {"isMonthly": True}),
    ("edge", "Edge Gateway", "flat_fee", "Voice", 0, {"isMonthly": True, "isEdge": True}),
    ("appconnect", "AppConnect", "usage", "Developers", 0, {"isCpaas": True, "isAppConnect": True}),
    ("cpaas-flat", "Business API", "flat_fee", "Developers", 0, {"isMonthly": True, "isCpaas": True}),
    ("guardian", "Guardian", "nb_users", "Guardian", 0, {"isMonthly": True, "guardianType": "basic"}),
    ("classroom", "Classroom", "nb_users", "Education", 0, {"isMonthly": True}),
    ("handset", "Desk phone on loan", "nb_users", "Assets", 36, {"isAsset": True, "isCapex": True}),
    ("china", "Business (China)", "nb_users", "Business", 12, {"isChinaOffer": True}),
    ("bundle", "Office in a box", "nb_users", "Bundles", 12, {"isBundle": True, "isSvcStoreOffer": True}),
    ("trial", "Trial", "nb_users", "Business", 0, {"isDemo": True}),
    ("partner-demo", "Enterprise for partners", "nb_users", "Enterprise", 0, {"isDemo": True, "isHidden": True}),
    ("old-business", "Business (old)", "nb_users", "Business", 0, {"isArchived": True, "isMonthly": True}),
)
#: Further fields of some offers: buyers, target companies, features.
_SPECIAL: dict[str, Document] = {
    "essential": {"canBeSold": False, "isFreemium": True},
    "enterprise": {"isExclusive": True},
    "enterprise-3y": {"isExclusive": True},
    "voice": {"isExclusive": True, "bpBusinessType": "voice_by_svc"},
    "voice-phone": {"isExclusive": True, "isVoicePhone": True},
    "conference": {"isFreemium": False, "bpBusinessType": "conference"},
    "dial-in": {"businessSpecific": ["DIALIN"], "bpBusinessType": "conference"},
    "recording": {"isCompanyLevel": True},
    "classroom": {"businessSpecific": ["EDU"], "allowedCountries": ["FRA", "NLD", "PRT"]},
    "china": {"allowedCountries": ["CHN"]},
    "edge": {"bpType": "VAD"},
    "bundle": {"bpApplicantNumbers": ["AP-10-88"]},
    "old-business": {"canBeSold": False},
}
#: key, days until the price change, new price
_PRICE_CHANGES = (("business", 41, "4.90"), ("business", 406, "5.20"), ("voice", 41, "7.50"), ("webinar", 72, "79.00"))
#: Key and name of offers in their own catalog.
TRADES = (
    ("workshop", "Workshop"),
    ("field", "Field Engineer"),
    ("seasonal", "Seasonal Worker"),
    ("apprentice", "Apprentice"),
    ("night", "Night Shift"),
    ("stand-in", "Stand-in"),
)
#: Other offers of that catalog.
_ALSO_FOR_TRADES = ("essential", "business", "voice-line")
_UNITS = {"nb_users": "User", "usage": "Minute", "nb_services": "Service"}
_CHINA = "china"
_AMERICA = (
    "essential",
    "business",
    "business-1y",
    "enterprise",
    "enterprise-3y",
    "conference",
    "voice-line",
    "webinar",
    "trial",
)
_NOT_FOR_PARTNERS = ("trial", "old-business", _CHINA)


def offers(calendar: Calendar) -> Iterator[Document]:
    """All offers."""
    trades = [(key, name, "nb_users", "Business", 0, {"isMonthly": True}) for key, name in TRADES]
    for key, name, model, group, months, more in (*_OFFERS, *trades):
        sap = sap_reference(key)
        rate_plan = {"id": id_of("rate plan", key), "name": f"{name} rate plan"}
        charge = {"id": id_of("rate plan charge", key), "name": name, "unitOfMeasure": unit_of(model)}
        offer: Document = {
            "id": id_of("offer", key),
            "name": name,
            "description": f"{name}: see the price list.",
            "technicalDescription": f"Profile {group}, sold as {model}",
            "offerReference": key,
            "profileId": id_of("profile", key),
            "businessModel": model,
            "chargeModel": "flat_fee" if model == "flat_fee" else "per_unit",
            "groupName": group,
            "isDefault": False,
            "canBeSold": True,
            "isPrepaid": months > 0,
            **({"prepaidDuration": months} if months else {}),
            "isExclusive": False,
            "autoSubscribe": False,
            "sapReference": sap,
            "creationDate": calendar.ago(1_500 + number(f"offer/{key}", 300), key),
            **_changes(calendar, key, sap),
            **more,
            **_SPECIAL.get(key, {}),
        }
        # The billing systems do not know free offers.
        yield (
            {**offer, **_billed(rate_plan, charge, key)}
            if rate_card.price(typed(Offer, offer), calendar.today)
            else offer
        )


def _billed(rate_plan: Document, charge: Document, key: str) -> Document:
    """The identifiers of an offer in the billing systems."""
    return {
        "billingOfferId": id_of("billing offer", key),
        "billingProductRatePlanId": rate_plan["id"],
        "billingProductRatePlanName": rate_plan["name"],
        "billingProductRatePlanChargeId": charge["id"],
        "billingProductRatePlans": [rate_plan],
        "billingProductRatePlanCharges": [charge],
        "billingAutoSynchro": True,
    }


def _changes(calendar: Calendar, key: str, sap: str) -> Document:
    found = [
        {"effectiveDate": calendar.ago(-days, f"price/{key}")[:10], "wpl": float(Decimal(price)), "sapReference": sap}
        for offer, days, price in _PRICE_CHANGES
        if offer == key
    ]
    return {"priceChanges": found} if found else {}


def catalogs(calendar: Calendar) -> Iterator[Document]:
    """All catalogs."""
    all_offers = [key for key, *_ in _OFFERS]
    for key, name, held in (
        ("default", "Standard", [each for each in all_offers if each != _CHINA]),
        ("partners", "Partners", [each for each in all_offers if each not in _NOT_FOR_PARTNERS]),
        ("america", "North America", list(_AMERICA)),
        ("trades", "Trades", [*_ALSO_FOR_TRADES, *(key for key, _ in TRADES)]),
        ("asia", "Asia", ["essential", "conference", _CHINA]),
    ):
        yield {
            "id": id_of("catalog", key),
            "name": name,
            "description": f"Offers of the catalog {name}.",
            "isDefault": key == "default",
            "offersList": [id_of("offer", each) for each in held],
            "creationDate": calendar.ago(1_400, f"catalog/{key}"),
        }


def sap_reference(key: str) -> str:
    """The article number of an offer."""
    return f"3EY{number(f'sap/{key}', 99_999):05d}AA"


def unit_of(model: str) -> str:
    """The unit of measure of a business model."""
    return _UNITS.get(model, "Company")
