"""The report of the security of all companies: what an attacker would look for, and the record that changes each."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.access import Role, roles_of
from svc_tui.interface.authentication.user_rules import EXTERNAL, has_factor
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.lists.reports import Reading, Report, ReportColumn, days_since

#: Days within which an API key that ends should be replaced, and after which one without an end is old.
NEAR, OLD = 30, 90
HIGH, MEDIUM, LOW = _("high"), _("medium"), _("low")
#: The clients of the service itself have settings that others must not have.
_BUILT_IN = "isSvcClientDefault"


def user_rows(user: RecordData, now: datetime) -> Iterator[RecordDict]:
    """What is risky about a user who can log in."""
    if user.get("isActive") is False or user.get("isTerminated"):
        return
    name = str(user.get("displayName") or user.get("loginEmail") or user.get("id"))
    if is_administrator(user) and not has_factor(user) and user.get("authenticationType") not in EXTERNAL:
        yield _row("users", user, name, "no-factor", _("administrator without a second factor"), HIGH)
    age = days_since(user.get("creationDate"), now)
    if not user.get("lastLoginDate") and age is not None and age >= NEAR:
        finding = _("has never logged in, for {days} days").format(days=age)
        yield _row("users", user, name, "never", finding, LOW)


def key_rows(user: RecordData, keys: Iterable[RecordData], now: datetime) -> Iterator[RecordDict]:
    """What is risky about the API keys of an administrator."""
    for key in keys:
        if key.get("isActive") is False:
            continue
        name = f"{user.get('displayName') or user.get('id')}: {key.get('description') or key.get('id')}"
        past = days_since(key.get("expirationDate"), now)
        age = days_since(key.get("creationDate"), now)
        if past is None:
            old = age is not None and age >= OLD
            finding = _("API key without an end, {days} days old").format(days=age or 0)
            yield _row("apikeys", key, name, "endless", finding, MEDIUM if old else LOW, user)
        elif -NEAR <= past < 0:
            finding = _("API key that ends in {days} days").format(days=-past)
            yield _row("apikeys", key, name, "ending", finding, LOW, user)


def application_rows(application: RecordData, owner: RecordData) -> Iterator[RecordDict]:
    """What is risky about the OAuth settings of an application."""
    if application.get("state") in ("deleted", "stopped") or application.get(_BUILT_IN):
        return
    name = str(application.get("name") or application.get("id"))
    found = {
        "implicit": (application.get("enableOAuthImplicitGrant"), _("allows the implicit grant"), HIGH),
        "consent": (application.get("disableOAuthConsentScreen"), _("skips the consent of users"), HIGH),
        "rotation": (
            application.get("enableOAuthRefreshTokenRotation") is False and application.get("oauthRedirectUris"),
            _("does not replace refresh tokens"),
            MEDIUM,
        ),
    }
    for finding, (holds, words, risk) in found.items():
        if holds:
            yield _row("applications", application, name, finding, words, risk, owner)


def company_row(company: RecordData, users: int) -> RecordDict:
    """A company whose users log in by single sign-on, and may be redirected to any domain."""
    finding = _("single sign-on ({users} users) without allowed redirect domains").format(users=users)
    named = {"companyId": company.get("id"), "companyName": company.get("name")}
    return _row("companies", company, str(company.get("name") or ""), "redirects", finding, MEDIUM, named)


def is_administrator(user: RecordData) -> bool:
    """Whether a user has a role beside that of every user."""
    admin_type = user.get("adminType")
    return bool(
        roles_of(map(str, user.get("roles") or ()), admin_type if isinstance(admin_type, str) else None) - {Role.USER}
    )


def _row(
    kind: str, record: RecordData, name: str, finding: str, words: str, risk: str, company: RecordData | None = None
) -> RecordDict:
    """`kind` and `recordId` are the record that changes it, `company` a record with the company."""
    of = record if company is None else company
    return {
        "id": f"{record.get('id')}:{finding}",
        "kind": kind,
        "recordId": record.get("id"),
        "userId": of.get("id") if kind == "apikeys" else None,
        "companyId": of.get("companyId"),
        "companyName": of.get("companyName"),
        "name": name,
        "finding": words,
        "risk": risk,
        "rank": (HIGH, MEDIUM, LOW).index(risk) + 1,
    }


async def _security(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    people: dict[str, RecordDict] = {}
    sso: dict[str, int] = {}
    async for users in reading.users():
        yield [row for user in users for row in user_rows(user, reading.now)]
        for user in users:
            kept = {name: user.get(name) for name in ("id", "displayName", "companyId", "companyName")}
            people[str(user.get("id"))] = {**kept, "administrator": is_administrator(user)}
            if user.get("authenticationType") in EXTERNAL:
                company_id = str(user.get("companyId"))
                sso[company_id] = sso.get(company_id, 0) + 1
    async for companies in reading.pages("list_companies", {"format": "full"}, field="id"):
        yield [
            company_row(each, sso[str(each.get("id"))])
            for each in companies
            if str(each.get("id")) in sso and not each.get("allowedRedirectDomains")
        ]
    administrators = [each for each in people.values() if each["administrator"]]
    if not reading.may("list_api_keys", _("API keys")):
        administrators = []
    read = reading.each(
        administrators,
        lambda user: reading.all("list_api_keys", {}, {"userId": str(user["id"]), "format": "full"}),
        lambda user: str(user["displayName"] or user["id"]),
    )
    async for user, keys in read:
        yield [*key_rows(user, keys, reading.now)]
    if reading.may("list_applications", _("applications")):
        async for applications in _applications(reading, people):
            yield applications


async def _applications(
    reading: Reading, people: Mapping[str, RecordDict]
) -> AsyncGenerator[Sequence[RecordDict], None]:
    """The applications of these users; all of them for who sees them all, without a group."""
    async for applications in reading.pages("list_applications", {"format": "full"}, field=""):
        yield [
            row
            for each in applications
            if (owner := people.get(str(each.get("ownerId")))) is not None or reading.companies is None
            for row in application_rows(each, owner or {})
        ]


SECURITY = Report(
    name="security",
    title=_("Security review"),
    help=_(
        "Administrators without a second factor, endless API keys, risky applications, and logins that never happened"
    ),
    columns=(
        ReportColumn(field="name", title=_("WHO"), width=18, flex=2),
        ReportColumn(field="finding", title=_("FINDING"), width=34, flex=3),
        ReportColumn(field="risk", title=_("RISK"), width=8, by="rank"),
        ReportColumn(field="companyName", title=_("COMPANY"), width=18, flex=2, priority=1),
    ),
    operation="list_users",
    read=_security,
    sort="rank",
)
