"""Access rules: roles, how far each role reaches, and the decision that client and server share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from svc_tui.language import _


class Role(StrEnum):
    """The sixteen roles (section 1.4)."""

    SUPERADMIN = "superadmin"
    SUPPORT = "support"
    BUSINESS_ADMIN = "business_admin"
    CUSTOMER_SUCCESS_ADMIN = "customer_success_admin"
    SALES_ANALYTICS = "sales_analytics"
    BP_ADMIN = "bp_admin"
    BP_FINANCE = "bp_finance"
    ORGANIZATION_ADMIN = "organization_admin"
    COMPANY_ADMIN = "company_admin"
    SITE_ADMIN = "site_admin"
    DIRECTORY_ADMIN = "directory_admin"
    APP_ADMIN = "app_admin"
    APP_SUPERADMIN = "app_superadmin"
    APP_SUPPORT = "app_support"
    TELEPHONY_CPAAS = "telephony_cpaas"
    USER = "user"


_PLACES = {role: place for place, role in enumerate(Role)}

#: In user records these three are `admin` with the name in `adminType`.
ADMIN_TYPES = frozenset({Role.ORGANIZATION_ADMIN, Role.COMPANY_ADMIN, Role.SITE_ADMIN})

#: Roles that list records of their own company only.
OWN_COMPANY_ONLY = frozenset(
    {Role.COMPANY_ADMIN, Role.SITE_ADMIN, Role.DIRECTORY_ADMIN, Role.APP_ADMIN, Role.TELEPHONY_CPAAS, Role.USER}
)


class Reach(StrEnum):
    """How far a role reaches with an operation."""

    ANY = "any"
    OWN_COMPANY = "own_company"
    END_CUSTOMERS = "end_customers"
    ORGANISATION = "organisation"
    SITE = "site"
    OWN = "own"
    DEMO_OFFERS = "demo_offers"
    #: Customers of the resellers (BP IR) that are linked to the caller's company, a distributor (BP VAD).
    RESELLERS = "resellers"
    #: The caller's own BP company.
    OWN_BP = "own_bp"


@dataclass(frozen=True, slots=True)
class Caller:
    """The user behind the credentials, as far as access depends on it."""

    user_id: str
    roles: frozenset[Role] = frozenset()
    company_id: str = ""
    organisation_id: str = ""
    site_id: str = ""
    #: The BP of the caller's company, where it is available.
    bp_id: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of an operation: the owner of a record, and where the record belongs. Empty text: none.

    `vad_id` is the distributor that the BP of the subject is linked to.
    """

    owner_id: str = ""
    company_id: str = ""
    organisation_id: str = ""
    bp_id: str = ""
    site_id: str = ""
    is_demo: bool = False
    vad_id: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision: allowed, or the reason against it."""

    allowed: bool
    reason: str = ""

    def __bool__(self) -> bool:
        return self.allowed


@dataclass(frozen=True, slots=True)
class Access:
    """Role -> how far it reaches. `anonymous` needs no credentials."""

    reaches: Mapping[Role, frozenset[Reach]] = field(default_factory=lambda: MappingProxyType({}))
    anonymous: bool = False

    def of(self, roles: Iterable[Role]) -> frozenset[Reach]:
        """Everything that these roles reach together."""
        return frozenset(reach for role in roles for reach in self.reaches.get(role, ()))

    def roles(self) -> tuple[Role, ...]:
        """The roles that may call, in the order of section 1.4."""
        return tuple(role for role in Role if role in self.reaches)

    def allowing(self, roles: frozenset[Role]) -> list[Role]:
        """Those of these roles that may call, in the same order."""
        return sorted(roles & self.reaches.keys(), key=_PLACES.__getitem__)

    def as_text(self) -> dict[str, str]:
        """Role -> scope in words, for the catalogue. Several scopes are joined with `+`."""
        if self.anonymous:
            return {"no login": Reach.ANY.value}
        return {role.value: "+".join(sorted(self.reaches[role])) for role in self.roles()}


def access(
    *,
    any: Iterable[Role] = (),
    own_company: Iterable[Role] = (),
    end_customers: Iterable[Role] = (),
    organisation: Iterable[Role] = (),
    site: Iterable[Role] = (),
    own: Iterable[Role] = (),
    demo_offers: Iterable[Role] = (),
    resellers: Iterable[Role] = (),
    own_bp: Iterable[Role] = (),
) -> Access:
    """Declare access by reach; a role may be named under several."""
    named = {
        Reach.ANY: any,
        Reach.OWN_COMPANY: own_company,
        Reach.END_CUSTOMERS: end_customers,
        Reach.ORGANISATION: organisation,
        Reach.SITE: site,
        Reach.OWN: own,
        Reach.DEMO_OFFERS: demo_offers,
        Reach.RESELLERS: resellers,
        Reach.OWN_BP: own_bp,
    }
    reaches: dict[Role, frozenset[Reach]] = {}
    for reach, roles in named.items():
        for role in roles:
            reaches[role] = reaches.get(role, frozenset()) | {reach}
    return Access(MappingProxyType(reaches))


#: Access without credentials.
ANONYMOUS = Access(anonymous=True)

#: Every authenticated caller, for own records.
OWNER = access(own=Role)


def roles_of(roles: Iterable[str], admin_type: str | None) -> frozenset[Role]:
    """The roles of a user record: `admin` is replaced by its `adminType`; unknown names are left out."""
    return _roles_named(frozenset((*roles, *((admin_type,) if admin_type in ADMIN_TYPES else ()))))


@lru_cache(256)
def _roles_named(names: frozenset[str | None]) -> frozenset[Role]:
    return frozenset(role for role in Role if role.value in names)


def reaches(caller: Caller, reach: Reach, subject: Subject) -> bool:
    """Whether one reach of the caller covers the subject."""
    match reach:
        case Reach.ANY:
            return True
        case Reach.OWN_COMPANY:
            return bool(caller.company_id) and caller.company_id == subject.company_id
        case Reach.END_CUSTOMERS:
            return bool(caller.company_id) and caller.company_id == subject.bp_id
        case Reach.ORGANISATION:
            return bool(caller.organisation_id) and caller.organisation_id == subject.organisation_id
        case Reach.SITE:
            return bool(caller.site_id) and caller.site_id == subject.site_id
        case Reach.OWN:
            return bool(caller.user_id) and caller.user_id == subject.owner_id
        case Reach.DEMO_OFFERS:
            return subject.is_demo
        case Reach.RESELLERS:
            return bool(caller.company_id) and caller.company_id == subject.vad_id
        case Reach.OWN_BP:
            return bool(caller.bp_id) and caller.bp_id == subject.company_id


def decide(rule: Access, caller: Caller | None, subject: Subject | None = None) -> Decision:
    """Whether the caller may do this to the subject or, without one, to any record."""
    if rule.anonymous:
        return Decision(True)
    if caller is None:
        return Decision(False, _("needs a login"))
    reached = rule.of(caller.roles)
    if not reached:
        return Decision(False, needs(rule.roles()))
    if subject is None or any(reaches(caller, reach, subject) for reach in reached):
        return Decision(True)
    return Decision(False, _("your role is limited to {reached}").format(reached=in_words(reached)))


def needs(roles: Iterable[Role]) -> str:
    """`needs bp_finance or superadmin`: the reason beside a greyed action."""
    return _("needs {names}").format(names=any_of(roles) or _("a role that does not exist"))


def any_of(roles: Iterable[Role]) -> str:
    """`bp_admin, bp_finance or superadmin`; empty without roles."""
    names = [role.value for role in roles]
    if len(names) < 2:
        return "".join(names)
    return _("{names} or {last}").format(names=", ".join(names[:-1]), last=names[-1])


REACHES_IN_WORDS = {
    Reach.ANY: "everything",
    Reach.OWN_COMPANY: "your own company",
    Reach.END_CUSTOMERS: "your end customers",
    Reach.ORGANISATION: "your organisation",
    Reach.SITE: "your site",
    Reach.OWN: "your own records",
    Reach.DEMO_OFFERS: "demo offers",
    Reach.RESELLERS: "customers of your resellers",
    Reach.OWN_BP: "your BP company",
}


def in_words(reached: Iterable[Reach]) -> str:
    """The reaches in words."""
    return _together(REACHES_IN_WORDS[reach] for reach in Reach if reach in set(reached))


def _together(reaches: Iterable[str]) -> str:
    words = [_(each) for each in reaches]
    return _("{names} and {last}").format(names=", ".join(words[:-1]), last=words[-1]) if words[1:] else "".join(words)


def reason_translated(reason: str) -> str:
    """A reason of `decide` that a service wrote in English, in the language of the process; other texts unchanged."""
    start, _separator, named = reason.partition(" is limited to ")
    reaches = re.split(", | and ", named)
    if start == "your role" and set(reaches) <= set(REACHES_IN_WORDS.values()):
        return _("your role is limited to {reached}").format(reached=_together(reaches))
    roles = re.split(", | or ", reason.removeprefix("needs "))
    if reason.startswith("needs ") and set(roles) <= set(Role):
        return needs(Role(role) for role in roles)
    return reason
