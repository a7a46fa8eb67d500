"""The accounts of the demo data: pure data, without a service or its libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from svc_tui.server.demo.repeatable import id_of, secret_of

PASSWORD = "Demo-demo-123"
DOMAIN = "demo.example"

#: The application that the console logs in with.
APP_ID = id_of("application", "console")
APP_SECRET = secret_of("application", "console")

#: Of mfa@demo.example; base32, as an authenticator takes it.
TOTP_SECRET = "JBSWY3DPEHPK3PXPKRUGS4ZANFZSAYJA"
RECOVERY_CODE = "DEMO-RECOVERY-CODE"

#: Keys of the companies that the accounts belong to.
OPERATOR, PARTNER, NORTHWIND, LOGISTICS = "operator", "harbour", "northwind", "northwind-logistics"
FABRIKAM, STORM = "fabrikam", "storm"


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """A demo account. `roles` are the names in operations (company_admin, not admin)."""

    name: str
    roles: tuple[str, ...]
    company: str
    person: tuple[str, str]
    job: str
    note: str
    totp_secret: str = ""

    @property
    def login(self) -> str:
        return f"{self.name}@{DOMAIN}"

    @property
    def id(self) -> str:
        """Identifier of the user."""
        return id_of("user", self.name)

    @property
    def company_id(self) -> str:
        return id_of("company", self.company)


def _role(name: str, company: str, first: str, last: str, job: str, note: str, *more: str) -> DemoAccount:
    return DemoAccount(name, (name, *more), company, (first, last), job, note)


#: The account that the demo opens with.
DEFAULT_ACCOUNT = DemoAccount(
    "demo",
    ("bp_admin", "bp_finance", "company_admin", "app_admin"),
    PARTNER,
    ("Dana", "Moreno"),
    "Head of Operations",
    "The demo opens with this account: administrator of the partner Harbour Telecom and of its customers",
)
ACCOUNTS: tuple[DemoAccount, ...] = (
    _role(
        "company_admin",
        NORTHWIND,
        "Clara",
        "Novak",
        "IT Manager",
        "Administrator of Northwind Telecom; can also create applications",
        "app_admin",
    ),
    _role("superadmin", OPERATOR, "Sofia", "Marchetti", "Platform Owner", "Full access to everything"),
    _role("support", OPERATOR, "Samir", "Haddad", "Support Engineer", "Reads every company and application"),
    _role("business_admin", OPERATOR, "Beatriz", "Almeida", "Business Manager", "Business side of the platform"),
    _role("customer_success_admin", OPERATOR, "Chen", "Wei", "Customer Success Manager", "Accompanies customers"),
    _role("sales_analytics", OPERATOR, "Sanna", "Virtanen", "Sales Analyst", "Reads statistics"),
    _role("app_superadmin", OPERATOR, "Arthur", "Leclerc", "Head of Developer Relations", "Manages all applications"),
    _role("app_support", OPERATOR, "Ayla", "Demir", "Developer Support", "Reads all applications"),
    _role("bp_admin", PARTNER, "Bruno", "Keller", "Partner Manager", "Administrator of the partner Harbour Telecom"),
    _role(
        "bp_finance", PARTNER, "Fatima", "Rahman", "Controller", "Sees the partner's deployed AppConnect applications"
    ),
    _role("organization_admin", NORTHWIND, "Oscar", "Lindqvist", "Group IT Director", "All companies of the group"),
    _role("site_admin", NORTHWIND, "Silvia", "Costa", "Office Manager", "Administrator of the site Lisbon"),
    _role("directory_admin", NORTHWIND, "Dario", "Ferri", "Directory Keeper", "Maintains the company directory"),
    _role("app_admin", NORTHWIND, "Anders", "Holm", "Lead Developer", "Develops applications, with Clara Novak"),
    _role("telephony_cpaas", NORTHWIND, "Tomas", "Ruiz", "Telephony Engineer", "Manages telephony by API"),
    _role("user", NORTHWIND, "Una", "Byrne", "Account Manager", "An ordinary user"),
    DemoAccount(
        "mfa",
        ("company_admin", "app_admin"),
        LOGISTICS,
        ("Mina", "Park"),
        "Head of Security",
        "Logs in with a second factor",
        TOTP_SECRET,
    ),
    DemoAccount(
        "sso", ("user", "app_admin"), FABRIKAM, ("Sergei", "Olsen"), "Developer", "Company with single sign-on"
    ),
    DemoAccount(
        "voiceonly",
        ("user",),
        NORTHWIND,
        ("Vera", "Quist"),
        "Receptionist",
        "Has only a voice phone licence; login is refused",
    ),
    DemoAccount("locked", ("user",), NORTHWIND, ("Lukas", "Baum"), "Sales Assistant", "Locked after failed logins"),
    DemoAccount(
        "hostile",
        ("company_admin", "app_admin"),
        STORM,
        ("Hugo", "Storm"),
        "Master Builder",
        "Company whose records contain hostile text, at the scale hostile only",
    ),
    DEFAULT_ACCOUNT,
)


def account(name: str) -> DemoAccount:
    """The account with this name before the `@`. KeyError if there is none."""
    for each in ACCOUNTS:
        if each.name == name:
            return each
    raise KeyError(name)


def accounts() -> dict[str, Any]:
    """The output of `demo-accounts --json`."""
    return {"appId": APP_ID, "appSecret": APP_SECRET, "accounts": [_as_json(each) for each in ACCOUNTS]}


def _as_json(account: DemoAccount) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "login": account.login,
        "password": PASSWORD,
        "roles": list(account.roles),
        "companyId": account.company_id,
        "note": account.note,
    }
    return {**fields, "totpSecret": account.totp_secret} if account.totp_secret else fields
