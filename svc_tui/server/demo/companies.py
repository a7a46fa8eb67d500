"""Companies of the demo data: the operator, partners, a group with three companies, other customers, and many more."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.server.demo.accounts import FABRIKAM, HOSTILE, LOGISTICS, NORTHWIND, OPERATOR, PARTNER
from svc_tui.server.demo.dates import Calendar, number, pick
from svc_tui.server.demo.hostile import COMPANY_NAME, DESCRIPTION
from svc_tui.server.demo.ids import id_of, secret_of
from svc_tui.server.store.tables import Document

ORGANISATION = id_of("organisation", "northwind")
SITE = id_of("site", "northwind-lisbon")
#: Path of the demo identity provider on the demo server.
PROVIDER_PATH = "/demo/identity-provider"
#: Where the browser ends after a single sign-on of the demo's console.
DONE_PATH = "/demo/signed-in"
PROVIDER_CLIENT = id_of("oidc client", FABRIKAM)
PROVIDER_SECRET = secret_of("oidc client", FABRIKAM)

LARGE_COMPANIES = 2_100

#: key, name, partner, country, status, size, activity, website
_NAMED = (
    (OPERATOR, "Svc Operations", "", "FRA", "active", "1001-5000 employees", "J", "https://svc.example"),
    (PARTNER, "Harbour Telecom Partners", "", "PRT", "active", "201-500 employees", "J", "https://harbour.example"),
    ("meridian", "Meridian Channel", "", "DEU", "active", "51-200 employees", "J", "https://meridian.example"),
    (NORTHWIND, "Northwind Telecom", PARTNER, "PRT", "active", "501-1000 employees", "J", "https://northwind.example"),
    (LOGISTICS, "Northwind Logistics", PARTNER, "ESP", "active", "201-500 employees", "H", ""),
    ("northwind-retail", "Northwind Retail", PARTNER, "PRT", "active", "51-200 employees", "G", ""),
    (FABRIKAM, "Fabrikam Online", PARTNER, "NOR", "active", "51-200 employees", "J", "https://fabrikam.example"),
    ("bluebird", "Bluebird Clinics", PARTNER, "GBR", "active", "201-500 employees", "Q", "https://bluebird.example"),
    ("cedar", "Cedar Insurance", PARTNER, "DEU", "alerting", "501-1000 employees", "K", "https://cedar.example"),
    ("delta", "Delta Schools", PARTNER, "NLD", "initializing", "51-200 employees", "P", ""),
    ("elm", "Elm Street Hotels", "meridian", "USA", "active", "201-500 employees", "I", "https://elm.example"),
    ("oldmill", "Old Mill Foods", "meridian", "FRA", "hold", "11-50 employees", "C", ""),
    ("quarry", "Quarry & Sons", "meridian", "IRL", "terminated", "1-10 employees", "B", ""),
    (HOSTILE, COMPANY_NAME, PARTNER, "FRA", "active", "1-10 employees", "S", ""),
)
_GROUP = (NORTHWIND, LOGISTICS, "northwind-retail")

_PLACES = (
    "Aberdeen", "Antwerp", "Bergen", "Bilbao", "Bologna", "Bremen", "Bristol", "Cadiz", "Calais", "Coimbra", "Cork",
    "Dresden", "Dundee", "Esbjerg", "Faro", "Gdansk", "Ghent", "Graz", "Heidelberg", "Innsbruck", "Kiel", "Lausanne",
    "Leeds", "Lille", "Linz", "Lyon", "Malmö", "Metz", "Nantes", "Odense", "Oviedo", "Pau", "Porto", "Reims",
    "Rostock", "Salerno", "Tampere", "Toulon", "Trieste", "Turku", "Utrecht", "Vigo", "Zürich",
)  # fmt: skip
_TRADES = (
    "Bakery", "Books", "Ceramics", "Coaches", "Consulting", "Dental Care", "Design", "Electric", "Engineering",
    "Films", "Foods", "Freight", "Furniture", "Gardens", "Glass", "Hotels", "Instruments", "Insurance", "Interiors",
    "Joinery", "Laboratories", "Lighting", "Marine", "Motors", "Optics", "Paper", "Pharmacy", "Plastics", "Printing",
    "Properties", "Publishing", "Roofing", "School", "Software", "Solar", "Sports", "Textiles", "Tools", "Toys",
    "Travel", "Veterinary", "Watches", "Wines",
)  # fmt: skip
_SUFFIXES = ("", " & Co", " Group", " Ltd", " GmbH", " SA", " AB", " BV")
_COUNTRIES = ("FRA", "DEU", "ESP", "PRT", "GBR", "NLD", "ITA", "NOR", "SWE", "BEL", "CHE", "AUT", "USA", "CAN")
_SIZES = ("self-employed", "1-10 employees", "11-50 employees", "51-200 employees", "201-500 employees")
_STATUSES = ("active",) * 12 + ("initializing", "alerting", "hold")


def named(calendar: Calendar) -> list[Document]:
    """The companies of both scales."""
    return [_named(calendar, row) for row in _NAMED]


def _named(calendar: Calendar, row: tuple[str, ...]) -> Document:
    key, name, partner, country, status, size, activity, website = row
    document = _company(calendar, key, name, country, status)
    document.update(size=size, economicActivityClassification=activity, website=website, offerType="premium")
    if partner:
        document["bpId"] = id_of("company", partner)
    if key in _GROUP:
        document["organisationId"] = ORGANISATION
    if key in (PARTNER, "meridian"):
        document.update(isBP=True, bpType="VAD" if key == PARTNER else "IR", offerType="premium")
    if key == HOSTILE:
        document["description"] = DESCRIPTION
    return document


def identity_provider(origin: str) -> Document:
    """How users of the company with single sign-on log in; `origin` is where browsers reach this server."""
    return {
        "id": id_of("identity provider", FABRIKAM),
        "companyId": id_of("company", FABRIKAM),
        "type": "OIDC",
        "name": "Fabrikam single sign-on",
        "issuer": origin.rstrip("/") + PROVIDER_PATH,
        "clientId": PROVIDER_CLIENT,
        "clientSecret": PROVIDER_SECRET,
    }


def many(calendar: Calendar) -> Iterator[Document]:
    """What the large scale adds: customers of both partners."""
    for index, key in enumerate(many_keys()):
        place, trade = _PLACES[index % len(_PLACES)], _TRADES[index // len(_PLACES) % len(_TRADES)]
        name = f"{place} {trade}{_SUFFIXES[index // (len(_PLACES) * len(_TRADES))] or pick(key, _SUFFIXES)}"
        document = _company(calendar, key, name, pick(key, _COUNTRIES), pick(f"status/{key}", _STATUSES))
        document["bpId"] = id_of("company", pick(f"partner/{key}", (PARTNER, PARTNER, "meridian")))
        document["size"] = pick(f"size/{key}", _SIZES)
        yield document


def keys(*, large: bool) -> list[str]:
    """The keys of the companies of a scale."""
    return [row[0] for row in _NAMED] + (many_keys() if large else [])


def many_keys() -> list[str]:
    """The keys of the companies that the large scale adds."""
    return [f"customer-{index}" for index in range(LARGE_COMPANIES - len(_NAMED))]


def _company(calendar: Calendar, key: str, name: str, country: str, status: str) -> Document:
    created = 120 + number(f"company/{key}", 1200)
    return {
        "id": id_of("company", key),
        "name": name,
        "status": status,
        "country": country,
        "isBP": False,
        "visibility": "private",
        "offerType": "freemium",
        "creationDate": calendar.ago(created, key),
        "statusUpdatedDate": calendar.ago(created // 2, key),
        "adminEmail": f"admin@{key}.example",
    }
