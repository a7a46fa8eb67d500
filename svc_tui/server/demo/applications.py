"""Applications of the demo data: every state, deployment, type, KPI and activity, and thousands more; the address
of the demo server in them, and its change to another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from svc_tui.server.demo import companies
from svc_tui.server.demo.accounts import (
    APP_ID,
    APP_SECRET,
    DEFAULT_ACCOUNT,
    NORTHWIND,
    OPERATOR,
    PARTNER,
    STORM,
    account,
)
from svc_tui.server.demo.companies import DONE_PATH, PROVIDER_PATH, identity_provider
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick, secret_of
from svc_tui.server.demo.users import UserSummary
from svc_tui.server.store.tables import Document

if TYPE_CHECKING:
    from svc_tui.server.store.documents import DocumentCollection
    from svc_tui.server.store.store import Store


#: Addresses for the browser after a single sign-on of the console and after its logout.
AFTERWARDS = ("ssoAuthenticationRedirectUrl", "ssoLogoutRedirectUrl")


async def move(store: Store, origin: str) -> None:
    """Change stored demo data to `origin` (`http://127.0.0.1:8080`). Addresses that a user changed stay."""
    provider = str(identity_provider(origin)["id"])
    await _put(store.identity_providers, provider, ("issuer",), PROVIDER_PATH, origin)
    await _put(store.applications, APP_ID, AFTERWARDS, DONE_PATH, origin)


async def _put(records: DocumentCollection, id: str, fields: tuple[str, ...], path: str, origin: str) -> None:
    known = await records.get(id)
    if known is None:
        return
    address = origin.rstrip("/") + path
    moved = {wire: address for wire in fields if str(known.get(wire)).endswith(path)}
    if any(known[wire] != address for wire in moved):
        await records.put({**known, **moved})


LARGE_APPLICATIONS = 20_000
_OF_NORTHWIND, _OF_NORTHWIND_LARGE = 60, 6_000
#: Number of applications per company; other companies have four per developer.
_COUNTS = {OPERATOR: 5, PARTNER: 24, STORM: 52}

_SUBJECTS = (
    "Branch", "Order", "Invoice", "Meeting Room", "Shift", "Parcel", "Visitor", "Fleet", "Warehouse", "Payroll",
    "Contract", "Claims", "Campus", "Clinic", "Energy", "Ticket", "Survey", "Travel", "Expense", "Supplier",
    "Newsroom", "Loyalty", "Maintenance", "Training", "Inventory", "Delivery", "Reception", "Quality", "Safety",
    "Dispatch",
)  # fmt: skip
_FORMS = (
    ("web", ("Portal", "Desk", "Board", "Planner")),
    ("mobile", ("Companion", "Pocket", "Scanner", "Go")),
    ("desktop", ("Studio", "Workbench", "Console", "Client")),
    ("server", ("Gateway", "Connector", "Sync", "Exporter")),
    ("bot", ("Bot", "Assistant", "Concierge", "Reminder")),
    ("iot", ("Sensor", "Panel", "Beacon", "Button")),
    ("admin", ("Admin", "Audit", "Provisioning", "Watch")),
)
_ACTIVITIES = "ABCDEFGHIJKLMNOPQRSTU"
_ORIGINS = ("developer portal", "store", "import 2024", "partner programme", "")
_STATUSES = ("creating", "active", "alerting", "hold", "terminating", "terminated", "failed", "unknown")
_OFFERS = ("AppConnect", "Pay as you go", "Business API", "Store listing")

#: state, env, kpi: all valid combinations first, then the most common ones.
_ALL_COMBINATIONS = (
    ("active", "deployed", "business"),
    ("new", "not_deployed", "business"),
    ("active", "deployed", "payasyougo"),
    ("stopped", "deployed", "business"),
    ("active", "in_deployment", "appconnect"),
    ("blocked", "deployed", "payasyougo"),
    ("active", "deployed", "svcstore"),
    ("new", "in_deployment", "business"),
    ("deleted", "deployed", "business"),
    ("active", "deployed", "appconnect"),
    ("active", "not_deployed", "payasyougo"),
    ("stopped", "not_deployed", "svcstore"),
    ("deleted", "not_deployed", "payasyougo"),
    ("active", "deployed", "internal"),
    ("blocked", "not_deployed", "business"),
)
_COMMON = (
    *(("active", "deployed", "business"),) * 6,
    *(("active", "deployed", "payasyougo"),) * 3,
    *(("active", "deployed", "appconnect"),) * 2,
    ("active", "not_deployed", "business"),
    ("active", "in_deployment", "business"),
    ("new", "not_deployed", "business"),
    ("new", "in_deployment", "payasyougo"),
    ("stopped", "deployed", "business"),
    ("active", "deployed", "svcstore"),
)


def console(calendar: Calendar, people: Sequence[UserSummary], origin: str) -> Document:
    """The application of the console's login; the operator owns it."""
    owner = _owners(people, OPERATOR)[0]
    document = _application(calendar, "console", "Svc Console", ("active", "deployed", "internal"), "desktop", owner)
    document.update(id=APP_ID, appSecret=APP_SECRET, isSvcClientDefault=True, activity="J")
    # A console has no web address: after a single sign-on the browser shows a page of the demo server.
    document.update(dict.fromkeys(AFTERWARDS, origin.rstrip("/") + DONE_PATH))
    return document


def small(calendar: Calendar, people: Sequence[UserSummary]) -> Iterator[Document]:
    """The applications of both scales."""
    owners = _owners(people, NORTHWIND)
    for index in range(_OF_NORTHWIND):
        yield _of_company(calendar, NORTHWIND, index, owners)
    for company in (key for key in companies.keys(large=False) if key != NORTHWIND):
        developers = _owners(people, company)
        for index in range(_COUNTS.get(company, len(developers) * 4)):
            yield _of_company(calendar, company, index, developers)


def large(calendar: Calendar, people: Sequence[UserSummary], more: int) -> Iterator[Document]:
    """`more` applications that the large scale adds, many of them in the demo company."""
    owners = _owners(people, NORTHWIND)
    for index in range(_OF_NORTHWIND, _OF_NORTHWIND_LARGE):
        yield _of_company(calendar, NORTHWIND, index, owners)
    developers: dict[str, list[str]] = {}
    for person in people:
        if person.develops and person.company.startswith("customer-"):
            developers.setdefault(person.company, []).append(person.id)
    customers = list(developers)
    for count in range(more - (_OF_NORTHWIND_LARGE - _OF_NORTHWIND)):
        company = customers[count % len(customers)]
        yield _of_company(calendar, company, count // len(customers), developers[company])


def with_payments(applications: Iterable[Document], subscriptions: Iterable[Document]) -> list[Document]:
    """The applications, with the company subscriptions that pay for them."""
    by_application = {each["applicationId"]: each for each in subscriptions if each.get("applicationId")}
    found = []
    for application in applications:
        subscription = by_application.get(application["id"])
        if subscription is not None:
            entry = {wire: subscription[wire] for wire in ("id", "offerName", "status")}
            application = {**application, "subscriptions": [entry], "subscriptionStatus": [entry["status"]]}
        found.append(application)
    return found


def _owners(people: Sequence[UserSummary], company: str) -> list[str]:
    developers = [person.id for person in people if person.company == company and person.develops]
    # An account of these companies owns many of them.
    many = {NORTHWIND: account("company_admin"), PARTNER: DEFAULT_ACCOUNT}.get(company)
    return [many.id] * len(developers) + developers if many else developers


_NAMES = [
    (type_, f"{subject} {form}")
    for subject, rank in product(_SUBJECTS, range(4))
    for type_, form in ((type_, forms[rank]) for type_, forms in _FORMS)
]


def _name(company: str, index: int) -> tuple[str, str]:
    """Type and name. The stride uses all names once before it repeats them with a number."""
    type_, name = _NAMES[(number(f"names/{company}", len(_NAMES)) + index * 257) % len(_NAMES)]
    turn = index // len(_NAMES)
    return type_, f"{name} {turn + 1}" if turn else name


def _of_company(calendar: Calendar, company: str, index: int, owners: Sequence[str]) -> Document:
    key = f"{company}/{index}"
    type_, name = _name(company, index)
    every = company in (NORTHWIND, PARTNER) and index < len(_ALL_COMBINATIONS)
    shape = _ALL_COMBINATIONS[index] if every else pick(f"shape/{key}", _COMMON)
    if company == OPERATOR:
        shape = ("active", "deployed", "internal")
    owner = owners[number(f"owner/{key}", len(owners))]
    if company == PARTNER and every:
        # The account that the demo opens with can try everything with each kind of application.
        owner = DEFAULT_ACCOUNT.id
    document = _application(calendar, key, name, shape, type_, owner)
    document["activity"] = _ACTIVITIES[index % 21] if every or company == NORTHWIND else pick(key, _ACTIVITIES)
    subscription = _STATUSES[index % 8] if every else pick(f"status/{key}", ("active", "active", "alerting", ""))
    if subscription and shape[2] not in ("internal", "svcstore"):
        offer = pick(f"offer/{key}", _OFFERS)
        document["subscriptions"] = [
            {"id": id_of("application subscription", key), "offerName": offer, "status": subscription}
        ]
        document["subscriptionStatus"] = [subscription]
    return document


def _application(
    calendar: Calendar, key: str, name: str, shape: tuple[str, str, str], type_: str, owner: str
) -> Document:
    state, env, kpi = shape
    created = 3 + number(f"application/{key}", 40 if state == "new" else 900)
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "application"
    document: Document = {
        "id": id_of("application", key),
        "name": name,
        "type": type_,
        "activity": "J",
        "kpi": kpi,
        "state": state,
        "env": env,
        "ownerId": owner,
        "appSecret": secret_of("application", key),
        "origin": pick(f"origin/{key}", _ORIGINS) or None,
        "description": f"{name}: {pick(f'purpose/{key}', _PURPOSES)}",
        "platform": "demo",
        "dateOfCreation": calendar.ago(created, key),
        "enableOAuthImplicitGrant": number(f"implicit/{key}", 9) == 0,
        "enableOAuthRefreshTokenRotation": number(f"rotation/{key}", 7) != 0,
        "enableOAuthAllowSeveralRefreshTokens": True,
        "disableOAuthConsentScreen": False,
        "isAllowedToEmbed": False,
        "isSvcClientDefault": False,
        "isNoIdApplication": False,
        "allowSendingSms": number(f"sms/{key}", 5) == 0,
    }
    if type_ in ("web", "mobile", "desktop"):
        document.update(_addresses(slug, type_))
    if env != "not_deployed":
        document["dateOfDeploymentRequest"] = calendar.ago(created * 2 // 3, key)
    if env == "deployed":
        document["dateOfDeployment"] = calendar.ago(created * 2 // 3 - 1, key)
        document["deployReason"] = pick(f"reason/{key}", ("Go live", "Contract signed", "Pilot ended well"))
        document["deployedByUserId"] = account("app_superadmin").id
    if state == "active":
        document["dateOfLastTokenWhenRenew"] = calendar.ago(number(f"token/{key}", min(created, 20)), key)
    if state == "blocked":
        document["appSuperadminComment"] = "Blocked after complaints; see the ticket."
        document["appSuperadminStatus"] = "under review"
    return {name: value for name, value in document.items() if value is not None}


_PURPOSES = (
    "shows colleagues what is due today.",
    "connects telephone and business software.",
    "sends messages when something happens.",
    "synchronises two systems.",
    "answers the most frequent questions.",
    "connects visitors with the right colleague.",
)


def _addresses(slug: str, type_: str) -> Document:
    home = f"https://{slug}.northwind.example"
    found: Document = {
        "ssoAuthenticationRedirectUrl": f"{home}/login/done",
        "ssoLogoutRedirectUrl": f"{home}/bye",
        "oauthRedirectUris": [f"{home}/oauth/callback", f"https://test.{slug}.northwind.example/oauth/callback"],
        "termsOfServiceUrl": [f"{home}/terms"],
        "privacyPoliciesUrl": [f"{home}/privacy"],
    }
    if type_ == "mobile":
        found["oauthRedirectUris"].append(f"{slug}://oauth")
    if type_ == "desktop":
        found["oauthRedirectUris"].append("http://127.0.0.1:8976/callback")
    if type_ == "web" and number(f"embed/{slug}", 3) == 0:
        found.update(isAllowedToEmbed=True, referrers=["https://intranet.northwind.example"], referrals=[home])
    return found
