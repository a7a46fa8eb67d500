"""Companies of the demo data: the operator, partners, a group of three companies, other customers, and their sites."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.interface.companies.access import DEFAULT_NAME, TERMINATED_NAME
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.server.demo import templates
from svc_tui.server.demo.accounts import FABRIKAM, LOGISTICS, NORTHWIND, OPERATOR, PARTNER, STORM
from svc_tui.server.demo.company_settings import settings_of, visibility_of
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick, secret_of
from svc_tui.server.store.tables import Document

ORGANISATION = id_of("organisation", "northwind")
SITE = id_of("site", "northwind-lisbon")
#: Path of the demo identity provider on the demo server.
PROVIDER_PATH = "/demo/identity-provider"
#: Last page of the browser after a single sign-on of the demo's console.
DONE_PATH = "/demo/signed-in"
PROVIDER_CLIENT = id_of("oidc client", FABRIKAM)
PROVIDER_SECRET = secret_of("oidc client", FABRIKAM)

#: The two reserved companies of the platform.
DEFAULT, TERMINATED = "default", "terminated"
LARGE_COMPANIES = 2_100

#: key, name, partner, country, status, size, activity, website
_NAMED = (
    (OPERATOR, "Svc Operations", "", "FRA", "active", "1001-5000 employees", "J", "https://svc.example"),
    (PARTNER, "Harbour Telecom Partners", "", "PRT", "active", "201-500 employees", "J", "https://harbour.example"),
    (DEFAULT, DEFAULT_NAME, "", "FRA", "active", "10,001+ employees", "J", ""),
    (TERMINATED, TERMINATED_NAME, "", "FRA", "active", "self-employed", "J", ""),
    ("meridian", "Meridian Channel", PARTNER, "DEU", "active", "51-200 employees", "J", "https://meridian.example"),
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
    ("coast", "Coast Reseller", PARTNER, "ESP", "active", "11-50 employees", "J", "https://coast.example"),
    ("lighthouse", "Lighthouse Direct", "", "USA", "active", "201-500 employees", "J", "https://lighthouse.example"),
    ("aloe", "Aloe Cosmetics", "coast", "FRA", "alerting", "11-50 employees", "C", ""),
    ("sequoia", "Sequoia Media", "lighthouse", "USA", "active", "51-200 employees", "J", "https://sequoia.example"),
    ("juniper", "Juniper Labs", "", "CAN", "active", "1-10 employees", "M", "https://juniper.example"),
    # It can be deleted: all conditions are met.
    ("willow", "Willow Studio", PARTNER, "BEL", "initializing", "self-employed", "R", ""),
    (STORM, "Storm & Sons", PARTNER, "FRA", "active", "51-200 employees", "F", "https://storm.example"),
)
#: The partners and their types.
PARTNERS = {PARTNER: "VAD", "meridian": "IR", "coast": "IR", "lighthouse": "DR"}
#: Companies with another catalog than the default one.
_CATALOGS = {
    "meridian": "partners",
    "lighthouse": "america",
    "sequoia": "america",
    "elm": "america",
    STORM: "trades",
}
_FREEMIUM = ("juniper", "willow")
#: The companies of one organisation.
GROUP = (NORTHWIND, LOGISTICS, "northwind-retail")

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
#: Partners of the companies that the large scale adds; empty for companies without a partner.
_SELLERS = (PARTNER, PARTNER, PARTNER, PARTNER, "meridian", "meridian", "coast", "lighthouse", "")
_SIZES = ("self-employed", "1-10 employees", "11-50 employees", "51-200 employees", "201-500 employees")
_STATUSES = ("active",) * 12 + ("initializing", "alerting", "hold")


def named(calendar: Calendar) -> list[Document]:
    """The companies of both scales."""
    return [_named(calendar, row) for row in _NAMED]


def _named(calendar: Calendar, row: tuple[str, ...]) -> Document:
    key, name, partner, country, status, size, activity, website = row
    document = _company(calendar, key, name, country, status)
    document.update(size=size, economicActivityClassification=activity)
    document["offerType"] = "freemium" if key in _FREEMIUM else "premium"
    if website:
        document["website"] = website
    if partner:
        document["bpId"] = id_of("company", partner)
    if key in GROUP:
        document["organisationId"] = ORGANISATION
    if key in PARTNERS:
        document.update(isBP=True, bpType=PARTNERS[key])
    if key in _CATALOGS:
        document["catalogId"] = id_of("catalog", _CATALOGS[key])
    return {**settings_of(key), **document, **templates.used(key)}


def identity_provider(origin: str) -> Document:
    """The identity provider of the company with single sign-on; `origin` is the address of this server."""
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
    """Companies that the large scale adds: customers of all partners."""
    for index, key in enumerate(many_keys()):
        place, trade = _PLACES[index % len(_PLACES)], _TRADES[index // len(_PLACES) % len(_TRADES)]
        # After all combinations of place and trade, the next suffix keeps names unique.
        turn, first = divmod(index, len(_PLACES) * len(_TRADES))
        name = f"{place} {trade}{_SUFFIXES[(number(f'customer-{first}', len(_SUFFIXES)) + turn) % len(_SUFFIXES)]}"
        document = _company(calendar, key, name, pick(key, _COUNTRIES), pick(f"status/{key}", _STATUSES))
        if seller := pick(f"partner/{key}", _SELLERS):
            document["bpId"] = id_of("company", seller)
        if index % 9 == 0:
            document["country"] = pick(f"country/{key}", tuple(COUNTRIES))
        document.update(city=place, externalReference=f"CRM-{10_000 + index}")
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
        "visibility": visibility_of(key),
        "offerType": "freemium",
        "creationDate": calendar.ago(created, key),
        "statusUpdatedDate": calendar.ago(created // 2, key),
        "adminEmail": f"admin@{key}.example",
        "catalogId": id_of("catalog", "default"),
        "selectedAppCustomisationTemplate": id_of("template", "full"),
        "dataLocation": data_location(country),
    }


def data_location(country: str) -> Document:
    """The data location of a company created in this country."""
    if country in ("USA", "CAN"):
        return {"name": "north-america", "location": "North America", "country": "USA"}
    return {"name": "europe", "location": "Europe", "country": "FRA"}


_SITES: dict[str, tuple[tuple[str, str], ...]] = {
    NORTHWIND: (
        ("Lisbon", "active"),
        ("Porto", "active"),
        ("Faro", "alerting"),
        ("Coimbra", "hold"),
        ("Braga", "terminated"),
    ),
    LOGISTICS: (("Valencia", "active"), ("Bilbao harbour", "active")),
    "northwind-retail": (("Lisbon shop", "active"), ("Porto shop", "active"), ("Évora shop", "hold")),
    PARTNER: (("Head office", "active"),),
    OPERATOR: (("Paris", "active"), ("Rennes", "active")),
    FABRIKAM: (("Bergen", "active"), ("Tromsø", "alerting")),
    "bluebird": (("Leeds", "active"), ("York", "active")),
    "cedar": (("Köln", "active"),),
    "elm": (("Savannah", "active"),),
}
_SITE_PLACES = ("Centre", "North", "South", "Harbour", "Station", "Airport", "Old town", "Campus", "Warehouse", "Park")
_SITE_STATUSES = ("active",) * 8 + ("alerting", "hold")
_OF_NORTHWIND, _OF_STORM = 240, 52


def named_sites(calendar: Calendar) -> Iterator[Document]:
    """The sites of both scales."""
    for company, held in _SITES.items():
        for name, status in held:
            yield _site(calendar, company, f"{company}-{name.lower()}", name, status)
    for index in range(_OF_STORM):
        yield _numbered(calendar, STORM, index)


def many_sites(calendar: Calendar) -> Iterator[Document]:
    """Sites that the large scale adds: shops of the demo company, and one or two sites of every third company."""
    for index in range(_OF_NORTHWIND):
        yield _numbered(calendar, NORTHWIND, index)
    for company in many_keys()[::3]:
        for index in range(1 + number(f"sites/{company}", 2)):
            yield _numbered(calendar, company, index)


def _numbered(calendar: Calendar, company: str, index: int) -> Document:
    key, place = f"{company}-{index}", _SITE_PLACES[index % len(_SITE_PLACES)]
    return _site(calendar, company, key, f"{place} {index + 1}", pick(key, _SITE_STATUSES))


def _site(calendar: Calendar, company: str, key: str, name: str, status: str) -> Document:
    return {
        "id": id_of("site", key),
        "name": name,
        "status": status,
        "companyId": id_of("company", company),
        "creationDate": calendar.ago(30 + number(f"site/{key}", 800), key),
    }
