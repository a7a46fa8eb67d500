"""Users of the demo data: the accounts, colleagues in each company, and thousands more at the large scale."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from svc_tui.server.demo.accounts import ACCOUNTS, FABRIKAM, LOGISTICS, NORTHWIND, OPERATOR, PARTNER, STORM, DemoAccount
from svc_tui.server.demo.companies import ORGANISATION, PARTNERS, SITE, many_keys
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick, secret_of
from svc_tui.server.store.tables import Document

_ADMIN_TYPES = ("organization_admin", "company_admin", "site_admin")
_FIRST = (
    "Adam", "Agnes", "Alma", "Amir", "Ana", "Anton", "Aron", "Astrid", "Bela", "Carla", "Cecilia", "Daniel", "David",
    "Diego", "Edith", "Elena", "Elif", "Emil", "Erik", "Eva", "Farid", "Felix", "Flora", "Gabriel", "Greta", "Hana",
    "Hector", "Ida", "Ines", "Ivan", "Jakob", "Joana", "Jonas", "Julia", "Karim", "Katja", "Lara", "Leo", "Lina",
    "Luis", "Magda", "Marco", "Maria", "Mateo", "Maya", "Milan", "Nadia", "Nils", "Nora", "Olga", "Omar", "Otto",
    "Paula", "Pedro", "Petra", "Rafael", "Rita", "Rosa", "Sami", "Sara", "Selma", "Simon", "Stella", "Tara", "Teo",
    "Tilda", "Viktor", "Yara", "Yusuf", "Zoe",
)  # fmt: skip
_LAST = (
    "Abbott", "Aguilar", "Andersen", "Arslan", "Bakker", "Barros", "Becker", "Berg", "Bianchi", "Blanc", "Brandt",
    "Cardoso", "Castro", "Clarke", "Conti", "Dahl", "Dias", "Duarte", "Eriksen", "Esposito", "Fischer", "Fontaine",
    "Garcia", "Gomes", "Haas", "Hansen", "Horvat", "Ibrahim", "Ivanov", "Jansen", "Kaya", "Koch", "Kowalski",
    "Lambert", "Larsen", "Lopes", "Maier", "Martins", "Meyer", "Moreau", "Müller", "Nielsen", "Nowak", "O'Brien",
    "Okafor", "Olsson", "Patel", "Pereira", "Petrov", "Popescu", "Ramos", "Ricci", "Romano", "Rossi", "Santos",
    "Sato", "Schmidt", "Silva", "Sousa", "Svensson", "Tanaka", "Toth", "Vega", "Vidal", "Wagner", "Walsh", "Weber",
    "Yilmaz", "Zhang", "Ziegler",
)  # fmt: skip
_JOBS = (
    ("Developer", "Engineering"),
    ("Product Manager", "Engineering"),
    ("Account Manager", "Sales"),
    ("Support Agent", "Support"),
    ("Receptionist", "Office"),
    ("Accountant", "Finance"),
    ("Team Lead", "Support"),
    ("Network Engineer", "IT"),
    ("Recruiter", "Human Resources"),
    ("Warehouse Planner", "Logistics"),
)
_PLACES = (
    ("PRT", "pt", "Europe/Lisbon", "+351"),
    ("ESP", "es", "Europe/Madrid", "+34"),
    ("GBR", "en", "Europe/London", "+44"),
    ("DEU", "de", "Europe/Berlin", "+49"),
    ("FRA", "fr", "Europe/Paris", "+33"),
)

#: Number of colleagues of a named company besides its accounts, and of those who develop applications.
_COLLEAGUES = {
    OPERATOR: (6, 2),
    NORTHWIND: (34, 4),
    LOGISTICS: (9, 2),
    "northwind-retail": (7, 1),
    PARTNER: (8, 2),
    "meridian": (4, 1),
    FABRIKAM: (6, 1),
    "bluebird": (6, 1),
    "cedar": (5, 1),
    "delta": (3, 1),
    "elm": (4, 1),
    "oldmill": (3, 1),
    "quarry": (2, 1),
    "coast": (4, 0),
    "lighthouse": (4, 0),
    "aloe": (3, 0),
    "sequoia": (5, 0),
    "juniper": (3, 0),
    STORM: (52, 0),
}
#: Failed logins of colleagues since their last success.
FAILED_LOGINS = {id_of("user", f"{NORTHWIND}/{index}"): failures for index, failures in ((4, 3), (13, 12))}
LARGE_USERS = 20_000
#: Colleagues that the large scale adds to the demo company; ten thousand of them have a telephone.
LARGE_STAFF = range(1_000, 11_400)
#: Number of them in engineering, where every ninth develops applications.
_ENGINEERING = 900


@dataclass(frozen=True, slots=True)
class UserSummary:
    """The properties of a user that other demo data refers to."""

    id: str
    login: str
    company: str
    develops: bool


def accounts(calendar: Calendar, companies: dict[str, str]) -> Iterator[Document]:
    """The users of the accounts. `companies` maps identifiers to names of companies."""
    for each in ACCOUNTS:
        yield _account(calendar, each, companies)


def _account(calendar: Calendar, each: DemoAccount, companies: dict[str, str]) -> Document:
    document = _user(calendar, each.name, each.login, each.person, each.company, companies)
    types = [role for role in each.roles if role in _ADMIN_TYPES]
    plain = [role for role in each.roles if role not in _ADMIN_TYPES]
    document["roles"] = sorted({"user", *plain, *(["admin"] if types else [])})
    document["adminType"] = types[0] if types else "undefined"
    document["jobTitle"] = each.job
    document["lastLoginDate"] = calendar.ago(1 + number(each.name, 4), each.name)
    if each.name == "site_admin":
        document["siteId"] = SITE
    if each.name == "mfa":
        document["mfaSvcAuth"] = {"mfaSvcPolicyId": id_of("mfa", LOGISTICS), "mfaStatus": "enabled"}
    if each.name == "sso":
        document.update(authenticationType="OIDC", authenticationExternalUid=each.login)
    return document


def colleagues(calendar: Calendar, companies: dict[str, str]) -> Iterator[Document]:
    """Users of the named companies besides the accounts."""
    for company, (count, developers) in _COLLEAGUES.items():
        for index in range(count):
            yield _colleague(calendar, company, index, companies, develops=index < developers)


def many(calendar: Calendar, companies: dict[str, str], more: int) -> Iterator[Document]:
    """`more` users that the large scale adds, in the demo company and in all other companies."""
    for place, index in enumerate(LARGE_STAFF):
        develops = place < _ENGINEERING and place % 9 == 0
        yield _colleague(calendar, NORTHWIND, index, companies, develops=develops)
    keys = many_keys()
    for index in range(more - len(LARGE_STAFF)):
        # The first user of each company is a developer.
        yield _colleague(calendar, keys[index % len(keys)], index, companies, develops=index < len(keys))


def _colleague(calendar: Calendar, company: str, index: int, companies: dict[str, str], *, develops: bool) -> Document:
    key = f"{company}/{index}"
    first, last = pick(f"first/{key}", _FIRST), pick(f"last/{key}", _LAST)
    # The index makes logins unique.
    login = f"{_ascii(first)}.{_ascii(last)}{index + 1}@{company}.example"
    document = _user(calendar, key, login, (first, last), company, companies)
    if develops:
        document.update(roles=["app_admin", "user"], jobTitle="Developer", department="Engineering")
    if index == 0 and company not in (NORTHWIND, OPERATOR):
        document.update(roles=sorted({*document["roles"], "admin"}), adminType="company_admin")
    if index == 1 and company in PARTNERS and company != PARTNER:
        document["roles"] = sorted({*document["roles"], "bp_admin", "bp_finance"})
    # A few are new, terminated or inactive, so that every state occurs.
    if index % 31 == 17:
        document.update(isInitialized=False, initializationDate=None, firstLoginDate=None, lastLoginDate=None)
    if index % 31 == 23:
        document["isActive"] = False
    if index % 31 == 29:
        document.update(isTerminated=True, isActive=False)
    if company == NORTHWIND and index % 3 == 0:
        document["siteId"] = SITE
    return document


def _user(
    calendar: Calendar, key: str, login: str, name: tuple[str, str], company: str, companies: dict[str, str]
) -> Document:
    job, department = pick(f"job/{key}", _JOBS)
    country, language, timezone, prefix = pick(f"place/{company}", _PLACES)
    created = 20 + number(f"created/{key}", 700)
    jabber = secret_of("jid", key)
    phone = f"{prefix}{200_000_000 + number(f'phone/{key}', 700_000_000)}"
    company_id = id_of("company", company)
    document = {
        "id": id_of("user", key),
        "loginEmail": login,
        "firstName": name[0],
        "lastName": name[1],
        "displayName": f"{name[0]} {name[1]}".strip(),
        "jobTitle": job,
        "department": department,
        "emails": [{"email": login, "type": "work"}],
        "phoneNumbers": [{"number": phone, "numberE164": phone, "deviceType": "landline", "type": "work"}],
        "country": country,
        "language": language,
        "timezone": timezone,
        "jid_im": f"{jabber}@demo.example",
        "jid_tel": f"tel_{jabber}@demo.example",
        "jid_password": secret_of("jid password", key),
        "roles": ["user"],
        "adminType": "undefined",
        "companyId": company_id,
        "companyName": companies[company_id],
        "isInDefaultCompany": False,
        "visibility": "same_than_company",
        "isActive": True,
        "isInitialized": True,
        "isTerminated": False,
        "guestMode": False,
        "timeToLive": -1,
        "authenticationType": "DEFAULT",
        "createdBySelfRegister": False,
        "creationDate": calendar.ago(created, key),
        "activationDate": calendar.ago(created - 1, key),
        "initializationDate": calendar.ago(created - 1, key),
        "firstLoginDate": calendar.ago(created - 1, key),
        "lastLoginDate": calendar.ago(number(f"login/{key}", 15), key),
        "lastUpdateDate": calendar.ago(number(f"update/{key}", created), key),
    }
    if company in (NORTHWIND, LOGISTICS, "northwind-retail"):
        document["organisationId"] = ORGANISATION
    return document


def _ascii(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z]", "", plain)
