"""Rules of users that need no records: passwords, who may give which role, who administers users (2.4), and what
prevents a user's login and what changes it (4.1, 5.6, 5.7). The service refuses a login by the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from svc_tui.interface.access import Role, access
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Code, Effect, Finding, items
from svc_tui.interface.texts import counted
from svc_tui.language import _

SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 64
PASSWORD_RULE = _("12 to 64 characters with an upper case letter, a digit and a special character")
#: The role of a user record that stands for the three types of administrators.
ADMIN = "admin"
#: From the narrowest to the widest.
_TYPES = (Role.SITE_ADMIN, Role.COMPANY_ADMIN, Role.ORGANIZATION_ADMIN)
#: Roles that only a superadmin gives, and those of partners (BP).
_OPERATORS = frozenset({Role.SUPERADMIN, Role.SUPPORT})
BP_ROLES = frozenset({Role.BP_ADMIN, Role.BP_FINANCE})

#: What a new user has where the creation says nothing.
NEW_USER: dict[str, Any] = {
    "roles": ["user"],
    "adminType": "undefined",
    "isActive": True,
    "isInitialized": False,
    "visibility": "same_than_company",
    "timeToLive": -1,
    "accountType": "free",
    "authenticationType": "DEFAULT",
}
#: What logins depend on: only changed for users all of whose roles the caller could give.
DECISIVE = ("password", "loginEmail", "isActive", "timeToLive", "authenticationType", "authenticationExternalUid")
ADMINISTER_USERS = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN),
    end_customers=(Role.BP_ADMIN,),
    organisation=(Role.ORGANIZATION_ADMIN,),
    site=(Role.SITE_ADMIN,),
)


def meets_rule(password: str) -> bool:
    """Whether a password meets `PASSWORD_RULE`. A special character is no letter, no digit and no control character."""
    return (
        SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD
        and password.isprintable()
        and any(char.isupper() for char in password)
        and any(char.isdecimal() for char in password)
        and any(not char.isalnum() for char in password)
    )


def why_not_given(caller: Iterable[Role], roles: Iterable[Role], *, is_bp: bool = True) -> str:
    """Why a caller with these roles cannot give a user these roles, as `roles_of` names them; empty if the caller can.

    `is_bp`: whether the company of the user is a partner (BP). The sentence names the first role that is refused.
    """
    own = frozenset(caller)
    for role in sorted(roles, key=list(Role).index):
        if role in BP_ROLES and not is_bp:
            return _("The role {role} is only for users of a partner (BP).").format(role=role.value)
        if Role.SUPERADMIN in own or role == Role.USER or _has(own, role):
            continue
        if role in _OPERATORS:
            return _("The role {role} can only be given by a superadmin.").format(role=role.value)
        return _("You cannot give the role {role}, because you do not have it.").format(role=role.value)
    return ""


def _has(own: frozenset[Role], role: Role) -> bool:
    if role in _TYPES:
        return any(each in own for each in _TYPES[_TYPES.index(role) :])
    return role in own and role not in _OPERATORS


#: Statuses of a company whose users cannot log in.
CLOSED = {"hold": _("on hold"), "terminated": "terminated"}
#: Types of authentication at an identity provider.
EXTERNAL = ("SAML", "OIDC")


def login_findings(
    user: RecordData, company: RecordData | None, policies: Iterable[RecordData] | None, now: datetime
) -> Iterator[Finding]:
    """All findings about the login of a user. Company and MFA policies are None where they are unknown."""
    yield from refusals(user, company, now)
    if is_voice_only(user):
        yield _finding(_("Refused: all licences are for voice phones."), "prevents", "profiles", Code.VOICE_ONLY)
    if (kind := user.get("authenticationType")) in EXTERNAL:
        yield _finding(
            _("With single sign-on ({kind}), not a password.").format(kind=kind),
            "notes",
            "authenticationType",
            rule="4.1",
        )
    policy = mfa_policy(user, policies or ())
    if policy is not None and requires_factor(policy) and not has_factor(user):
        yield _finding(_("A second factor is required, but not set up."), "limits", "mfaSvcAuth", rule="5.7")


def refusals(user: RecordData, company: RecordData | None, now: datetime) -> Iterator[Finding]:
    """Why the service accepts no credentials of a user, neither for a login nor for a request."""
    if user.get("isTerminated"):
        yield _finding(_("Refused: the user is terminated."), "prevents", "isTerminated", Code.USER_INACTIVE)
    elif user.get("isActive") is False:
        yield _finding(_("Refused: the user is not active."), "prevents", "isActive", Code.USER_INACTIVE)
    if company is not None and (status := CLOSED.get(str(company.get("status")))):
        yield Finding(
            _("Login"),
            _("Refused: the company is {status}.").format(status=status),
            "prevents",
            "companies",
            "status",
            "5.6",
            Code.COMPANY_INACTIVE,
        )
    if has_expired(user, now):
        yield _finding(_("Refused: the account has expired."), "prevents", "timeToLive", Code.ACCOUNT_EXPIRED)


def locked_until(user: RecordData, now: datetime) -> datetime | None:
    """The end of the lock after failed logins; None where the account is not locked, or it is unknown."""
    until = user.get("lockedUntil")
    if not isinstance(until, str):
        return None
    end = moment(until)
    return end if end > now else None


def lock_findings(user: RecordData, now: datetime, written: Callable[[datetime], str]) -> Iterator[Finding]:
    """The lock of an account, or the failed logins before one. `written` gives the text of a time."""
    failed = user.get("failedLogins")
    count = failed if isinstance(failed, int) else 0
    times = counted(count, "failed login")
    if (end := locked_until(user, now)) is not None:
        behind = _(" ({times})").format(times=times) if count else ""
        sentence = _("Locked until {time}; a new password unlocks{behind}.").format(time=written(end), behind=behind)
        yield _finding(sentence, "prevents", "lockedUntil", Code.LOCKED, rule="4.1")
    elif count:
        sentence = _("{times} since the last success.").format(times=times)
        yield _finding(sentence, "notes", "failedLogins", rule="4.1")


def has_expired(user: RecordData, now: datetime) -> bool:
    """Whether the lifetime of an account, counted from its creation, is over; -1 never ends."""
    lifetime, created = user.get("timeToLive"), user.get("creationDate")
    if isinstance(lifetime, bool) or not isinstance(lifetime, int) or lifetime < 0 or not created:
        return False
    return (now - moment(str(created))).total_seconds() >= lifetime


def is_voice_only(user: RecordData) -> bool:
    """Whether a user has licences, and all of them are for voice phones."""
    licences = items(user.get("profiles"))
    return bool(licences) and all(licence.get("isVoicePhone") for licence in licences)


def has_factor(user: RecordData) -> bool:
    """Whether the second factor of a user is enabled."""
    factor = user.get("mfaSvcAuth")
    return isinstance(factor, dict) and factor.get("mfaStatus") == "enabled"


def mfa_policy(user: RecordData, policies: Iterable[RecordData]) -> RecordData | None:
    """The company's policy for a user: that of the enrolment, otherwise the one for all users. None without any."""
    factor = user.get("mfaSvcAuth")
    chosen = factor.get("mfaSvcPolicyId") if isinstance(factor, dict) else None
    known = list(policies)
    for_user = (policy for policy in known if chosen and policy.get("mfaId") == chosen)
    for_all = (policy for policy in known if policy.get("enabledForAllCompanyUsers"))
    return next(for_user, None) or next(for_all, None)


def requires_factor(policy: RecordData) -> bool:
    """Whether a policy requires a second factor at some logins at least."""
    return policy.get("mfaType") != "none" and policy.get("mfaPolicy") in ("untrusted_only", "always")


def _finding(sentence: str, effect: Effect, field: str, code: Code | None = None, rule: str = "5.6") -> Finding:
    return Finding(_("Login"), sentence, effect, "users", field, rule, code)
