"""Sites of the demo data: every status, and many in the demo company at the large scale."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.server.demo.accounts import FABRIKAM, LOGISTICS, NORTHWIND, OPERATOR, PARTNER, STORM
from svc_tui.server.demo.companies import many_keys
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick
from svc_tui.server.store.tables import Document

_NAMED: dict[str, tuple[tuple[str, str], ...]] = {
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
_PLACES = ("Centre", "North", "South", "Harbour", "Station", "Airport", "Old town", "Campus", "Warehouse", "Park")
_STATUSES = ("active",) * 8 + ("alerting", "hold")
_OF_NORTHWIND, _OF_STORM = 240, 52


def named(calendar: Calendar) -> Iterator[Document]:
    """The sites of both scales."""
    for company, held in _NAMED.items():
        for name, status in held:
            yield _site(calendar, company, f"{company}-{name.lower()}", name, status)
    for index in range(_OF_STORM):
        yield _numbered(calendar, STORM, index)


def many(calendar: Calendar) -> Iterator[Document]:
    """Sites that the large scale adds: shops of the demo company, and one or two sites of every third company."""
    for index in range(_OF_NORTHWIND):
        yield _numbered(calendar, NORTHWIND, index)
    for company in many_keys()[::3]:
        for index in range(1 + number(f"sites/{company}", 2)):
            yield _numbered(calendar, company, index)


def _numbered(calendar: Calendar, company: str, index: int) -> Document:
    key = f"{company}-{index}"
    return _site(calendar, company, key, f"{_PLACES[index % len(_PLACES)]} {index + 1}", pick(key, _STATUSES))


def _site(calendar: Calendar, company: str, key: str, name: str, status: str) -> Document:
    return {
        "id": id_of("site", key),
        "name": name,
        "status": status,
        "companyId": id_of("company", company),
        "creationDate": calendar.ago(30 + number(f"site/{key}", 800), key),
    }
