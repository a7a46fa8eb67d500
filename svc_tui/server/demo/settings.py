"""API keys, OAuth tokens, MFA policies and minimum client versions of the demo data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta

from svc_tui.interface.authentication.oauth import SCOPE
from svc_tui.interface.authentication.proof import ACCESS_SECONDS, REFRESH_SECONDS
from svc_tui.interface.dates import stamp
from svc_tui.server.demo.accounts import ACCOUNTS, APP_ID, LOGISTICS, NORTHWIND, PARTNER, STORM, account
from svc_tui.server.demo.repeatable import Calendar, id_of, number, secret_of
from svc_tui.server.store.tables import Document

#: description, active, days since it was made, days until it ends (None never)
_KEYS = (
    ("Nightly export to the data warehouse", True, 210, None),
    ("Continuous integration", True, 60, 120),
    ("Dashboard in the entrance hall", False, 400, None),
    ("Trial of the telephony connector", True, 95, -5),
    ("Old laptop", False, 700, -300),
    ("Terraform", True, 12, 78),
)
_IN_USE = ("active", "deployed")
#: Number of keys of the account whose records can become hostile.
_OF_TESTER = 52
_WITH_KEYS = ("company_admin", "app_admin", "superadmin", "bp_admin", "organization_admin", "telephony_cpaas", "demo")
#: Accounts with every kind of key.
_WITH_ALL_KEYS = ("company_admin", "demo")
#: Accounts that allowed applications to act for them: days since then, and since the tokens were renewed.
_WITH_TOKENS = ("company_admin", "app_admin", "user", "superadmin", "demo")
_TOKENS = ((3, 0), (41, 2), (200, 84), (75, 60))


def api_keys(calendar: Calendar) -> Iterator[Document]:
    """Keys of several accounts, with unknown values."""
    for name in _WITH_KEYS:
        count = len(_KEYS) if name in _WITH_ALL_KEYS else 2 + number(f"keys/{name}", 3)
        for index in range(count):
            description, active, made, ends = _KEYS[index]
            yield _key(calendar, name, index, description, active, made, ends)
    for index in range(_OF_TESTER):
        description = f"{_KEYS[index % len(_KEYS)][0]} {1 + index // len(_KEYS)}"
        yield _key(calendar, "hostile", index, description, index % 3 > 0, index + 1, None)


def _key(
    calendar: Calendar, name: str, index: int, description: str, active: bool, made: int, ends: int | None
) -> Document:
    owner, key = account(name), f"{name}/{index}"
    return {
        "id": id_of("api key", key),
        "description": description,
        "isActive": active,
        "scope": ["all"],
        "expirationDate": None if ends is None else calendar.ago(-ends, key),
        "userId": owner.id,
        "loginEmail": owner.login,
        "creationDate": calendar.ago(made, key),
        "lastUpdateDate": calendar.ago(made // 2, key),
        "clientMetadata": {"rawUserAgent": "svc-tui", "ipAddress": "192.0.2.7"},
        "createdBy": {"userId": owner.id, "loginEmail": owner.login, "appId": APP_ID, "appName": "Svc Console"},
        "keyHash": hashlib.sha256(secret_of("api key", key).encode()).hexdigest(),
    }


def oauth_tokens(calendar: Calendar, applications: list[Document]) -> Iterator[Document]:
    """What several accounts granted to applications for users, with unknown refresh tokens."""
    kinds = ("web", "mobile", "desktop")
    used = [each for each in applications if each["type"] in kinds and (each["state"], each["env"]) == _IN_USE]
    for name in _WITH_TOKENS:
        first = number(f"granted/{name}", len(used))
        for index, (made, renewed) in enumerate(_TOKENS):
            yield _token(calendar, name, used[(first + index) % len(used)], made, renewed)


def _token(calendar: Calendar, name: str, application: Document, made: int, renewed: int) -> Document:
    key = f"{name}/{application['id']}"
    # Before the working hours: the records are there when the demo begins.
    issued = datetime.combine(calendar.today - timedelta(days=renewed), time(), UTC)
    ends = stamp(issued + timedelta(seconds=REFRESH_SECONDS))
    return {
        "id": id_of("oauth token", key),
        "appId": application["id"],
        "appName": application["name"],
        "userId": account(name).id,
        "scope": SCOPE,
        "creationDate": calendar.ago(made, key),
        "accessTokenIssuedAt": stamp(issued),
        "accessTokenExpiresAt": stamp(issued + timedelta(seconds=ACCESS_SECONDS)),
        "refreshTokenIssuedAt": stamp(issued),
        "refreshTokenExpiresAt": ends,
        "refreshHash": hashlib.sha256(secret_of("oauth token", key).encode()).hexdigest(),
        "expires": ends,
    }


def policies() -> Iterator[Document]:
    """MFA policies: every kind."""
    yield _policy("northwind-office", NORTHWIND, "Trusted applications", "untrusted_only", days=90, can_be_off=True)
    yield _policy("northwind-strict", NORTHWIND, "Finance department", "always", days=0)
    yield _policy("northwind-off", NORTHWIND, "No second factor", "never", type_="none", can_be_off=True)
    yield _policy(LOGISTICS, LOGISTICS, "All users, always", "always", for_all=True)
    yield _policy("retail", "northwind-retail", "Shops", "untrusted_only", for_all=True, days=30)
    yield _policy(PARTNER, PARTNER, "Partner portal", "untrusted_only", days=30, can_be_off=True)
    yield _policy(STORM, STORM, "Workshops", "never", can_be_off=True)


def _policy(
    key: str,
    company: str,
    name: str,
    policy: str,
    *,
    type_: str = "totp",
    days: int = 365,
    for_all: bool = False,
    can_be_off: bool = False,
) -> Document:
    return {
        "mfaId": id_of("mfa", key),
        "companyId": id_of("company", company),
        "mfaName": name,
        "mfaType": type_,
        "mfaPolicy": policy,
        "enabledForAllCompanyUsers": for_all,
        "rememberDaysApplication": days,
        "mfaCanBeDisabled": can_be_off,
    }


def client_versions(applications: list[Document]) -> Iterator[Document]:
    """Minimum versions of a few applications with clients, except the console."""
    clients = [each for each in applications if each["type"] in ("mobile", "desktop") and each["id"] != APP_ID]
    for index, each in enumerate(clients[:12]):
        version = f"{1 + index % 3}.{number(each['id'], 90)}.{index % 4}"
        yield {"id": each["id"], "name": each["name"], "type": each["type"], "version": version}


def secrets(password_hash: str, recovery_hash: str) -> Iterator[Document]:
    """The secrets of the accounts."""
    for each in ACCOUNTS:
        found: Document = {"id": each.id, "passwordHash": password_hash}
        if each.totp_secret:
            found.update(mfaSecret=each.totp_secret, mfaRecoveryHash=recovery_hash)
        yield found
