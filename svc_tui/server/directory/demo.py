"""Directories of the demo data: contacts of several companies, and the report of a faulty import."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import header
from svc_tui.interface.directory.values import ImportState
from svc_tui.server.demo.accounts import LOGISTICS, NORTHWIND, PARTNER, STORM, DemoAccount, account
from svc_tui.server.demo.area import DemoArea, DemoRecords, Fill
from svc_tui.server.demo.hostile import TEXTS, HostileText
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick
from svc_tui.server.directory.reports import company_id
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Company, entries at the small scale, country, prefix of phone numbers.
_SMALL = (
    (NORTHWIND, 420, "PRT", "+351"),
    (LOGISTICS, 60, "ESP", "+34"),
    ("bluebird", 45, "GBR", "+44"),
    (STORM, 52, "FRA", "+33"),
    (PARTNER, 36, "PRT", "+351"),
)
#: Entries of Northwind at the large scale.
LARGE_ENTRIES = 100_000

_FIRST = (
    "Adele", "Bertrand", "Camila", "Duarte", "Elodie", "Fabio", "Gloria", "Henrique", "Irene", "Joaquim", "Kerstin",
    "Lorenzo", "Mariana", "Noemi", "Oriol", "Patricia", "Quentin", "Ramona", "Sebastian", "Teresa", "Ulrike", "Vasco",
    "Wanda", "Xavier", "Yvonne", "Zeno",
)  # fmt: skip
_LAST = (
    "Almeida", "Baptista", "Carvalho", "Delgado", "Engel", "Ferreira", "Gruber", "Hoffmann", "Iglesias", "Jacobs",
    "Keller", "Leclerc", "Monteiro", "Navarro", "Oliveira", "Peixoto", "Quintero", "Ribeiro", "Schneider", "Teixeira",
    "Urban", "Vieira", "Winter", "Xavier", "Young", "Zimmer",
)  # fmt: skip
_FIRMS = (
    "Atlas Freight", "Boreal Paper", "Cascade Foods", "Dune Textiles", "Ember Lighting", "Fjord Marine", "Garnet Tools",
    "Harvest Seeds", "Iris Optics", "Jasper Stone", "Kite Travel", "Lumen Energy",
)  # fmt: skip
_CITIES = ("Lisboa", "Porto", "Madrid", "Sevilla", "Lyon", "Bristol", "Hamburg", "Torino", "Gent", "Zürich")
_JOBS = ("Buyer", "Sales Manager", "Accountant", "Dispatcher", "Owner", "Technician", "Assistant", "Planner")
_DEPARTMENTS = ("Purchasing", "Sales", "Finance", "Logistics", "Management", "Service")
_TAGS = ("customer", "supplier", "press", "vip", "partner")
_LENGTHS = {"+351": 9, "+34": 9, "+33": 9, "+44": 10}
_STARTS = {"+351": "21", "+34": "91", "+33": "2", "+44": "20"}


def directories(calendar: Calendar) -> Iterator[Document]:
    """The directory of each company, and the personal directories."""
    for company, *_ in _SMALL:
        yield {
            "id": directory_of(company),
            "companyId": id_of("company", company),
            "live": True,
            "creationDate": calendar.ago(40, company),
        }
    for name in _PERSONAL:
        yield {
            "id": directory_of(name),
            "userId": account(name).id,
            "live": True,
            "creationDate": calendar.ago(60, name),
        }


_PERSONAL = ("company_admin", "user", "directory_admin", "demo")


def directory_of(key: str) -> str:
    """The identifier of the directory of a company or an account."""
    return id_of("directory", key)


def entries(calendar: Calendar, *, large: bool) -> Iterator[Document]:
    """The entries of all directories."""
    for company, count, country, prefix in _SMALL:
        many = LARGE_ENTRIES if large and company == NORTHWIND else count
        owner = {"directory": directory_of(company), "companyId": id_of("company", company)}
        for index in range(many):
            yield {**_entry(calendar, f"{company}/{index}", index, country, prefix), **owner}
    for name in _PERSONAL:
        owner = {"directory": directory_of(name), "userId": account(name).id}
        for index in range(12):
            yield {**_entry(calendar, f"{name}/{index}", index, "PRT", "+351"), **owner}


def _number(key: str, prefix: str) -> str:
    start = _STARTS[prefix]
    digits = _LENGTHS[prefix] - len(start)
    return f"{prefix}{start}{number(key, 10**digits):0{digits}d}"


def _entry(calendar: Calendar, key: str, index: int, country: str, prefix: str) -> Document:
    firm = _FIRMS[index % len(_FIRMS)]
    made = calendar.ago(2 + number(f"made/{key}", 38), key)
    common: Document = {
        "id": id_of("directory entry", key),
        "workPhoneNumbers": [_number(f"work/{key}", prefix)],
        "city": pick(f"city/{key}", _CITIES),
        "country": country,
        "creationDate": made,
        "lastUpdateDate": made,
    }
    if index % 14 == 13:
        name = firm if index < 168 else f"{firm} {index}"
        return {**common, "type": "company", "companyName": name, "tags": ["supplier"]}
    first, last = pick(f"first/{key}", _FIRST), pick(f"last/{key}", _LAST)
    person = {
        **common,
        "type": "user",
        "firstName": first,
        "lastName": last,
        "companyName": firm,
        "jobTitle": pick(f"job/{key}", _JOBS),
        "department": pick(f"department/{key}", _DEPARTMENTS),
        "eMail": f"{first}.{last}.{index}@{firm.split()[0]}.example".lower(),
        "ldap_id": f"crm-{100_000 + index}",
    }
    if index % 3 == 0:
        person["mobilePhoneNumbers"] = [_number(f"mobile/{key}", prefix)]
    if index % 4 == 0:
        person["tags"] = sorted({pick(f"tag/{key}", _TAGS), pick(f"tag2/{key}", _TAGS)})
    return person


# --- yesterday's import --------------------------------------------------------------------------------------------

_HEADERS = "firstName;lastName;companyName;workPhoneNumber0;eMail;country"
_ROWS = 40
#: Faulty cells: row, column, text.
_FAULTS = (
    (3, "workPhoneNumber0", "21 34 56"),
    (4, "country", "PT"),
    (7, "eMail", "joaquim.at.cascade.example"),
    (9, "workPhoneNumber0", "reception"),
    (12, "country", "PT"),
    (13, "lastName", ""),
    (15, "workPhoneNumber0", "21 34 5"),
    (18, "eMail", "ramona@"),
    (19, "country", "Portugal"),
    (21, "workPhoneNumber0", "n/a"),
    (22, "country", "PT"),
    (24, "eMail", "sales boreal.example"),
    (26, "country", "PT"),
    (28, "workPhoneNumber0", "+351 21"),
    (29, "eMail", "n/a"),
    (31, "country", "PT"),
    (33, "workPhoneNumber0", "21 34 56"),
    (35, "lastName", ""),
    (37, "country", "PT"),
    (39, "eMail", "iris.example"),
)


def _cells(index: int) -> list[str]:
    key = f"import/{index}"
    first, last, firm = pick(f"first/{key}", _FIRST), pick(f"last/{key}", _LAST), _FIRMS[index % len(_FIRMS)]
    telephone = _number(key, "+351").replace("+351", "")
    mail = f"{first}.{last}@{firm.split()[0]}.example".lower()
    cells = dict(zip(_HEADERS.split(";"), (first, last, firm, telephone, mail, "PRT"), strict=True))
    for row, column, text in _FAULTS:
        if row == index:
            cells[column] = text
            if column == "lastName":
                cells |= {"firstName": "", "companyName": ""}
    return list(cells.values())


def faulty_file() -> str:
    """The file of yesterday's import, with twenty faulty rows."""
    return "\n".join([_HEADERS, *(";".join(_cells(index)) for index in range(1, _ROWS + 1)), ""])


#: The companies of yesterday's imports, and the accounts that imported.
IMPORTED = ((LOGISTICS, account("directory_admin")), (PARTNER, account("demo")))


def report(calendar: Calendar, company: str, by: DemoAccount) -> tuple[Document, list[Document]]:
    """The report of yesterday's import of a company, and its rows."""
    id = company_id(id_of("company", company))
    checker = Checker(header(_HEADERS.split(";"), 1), country="PRT")
    rows = []
    for index in range(1, _ROWS + 1):
        cells = _cells(index)
        errors = [fault.wire() for fault in checker.check(cells)]
        outcome: Document = {"status": "created", "data": {"id": id_of("directory entry", f"{company}/{index}")}}
        if errors:
            details = errors[0] if len(errors) == 1 else errors
            outcome = {"status": "failed", "errorDetailsCode": 400000, "errorDetails": details}
        rows.append(
            {
                "id": f"{id}/{index:09d}",
                "report": id,
                "number": index,
                "csvSource": ";".join(cells),
                **outcome,
            }
        )
    failed = sum(row["status"] == "failed" for row in rows)
    return {
        "id": id,
        "companyId": id_of("company", company),
        "userId": by.id,
        "displayName": " ".join(by.person),
        "label": "Contacts of the spring fair",
        "csvHeaders": _HEADERS,
        "startTime": calendar.ago(1, "import"),
        "state": ImportState.FAILED.value,
        "created": _ROWS - failed,
        "updated": 0,
        "deleted": 0,
        "failed": failed,
    }, rows


def _records(shared: DemoRecords) -> Fill:
    async def fill(store: Store) -> None:
        await store.directories.add_all(directories(shared.calendar))
        written = entries(shared.calendar, large=shared.large)
        while some := list(islice(written, 5_000)):
            await store.directory_entries.add_all(some)
        for company, by in IMPORTED:
            yesterday, its_rows = report(shared.calendar, company, by)
            await store.import_reports.add(yesterday)
            await store.imported_rows.add_all(its_rows)

    return fill


def _hostile() -> Iterator[HostileText]:
    for index, text in enumerate(TEXTS.values()):
        entry = id_of("directory entry", f"{STORM}/{index}")
        yield HostileText("directory_entries", entry, {"lastName": text[:255], "companyName": text[:255]})


DEMO = DemoArea(records=_records, hostile=_hostile)
