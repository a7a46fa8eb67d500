"""Rules of users that need no records: passwords, who may give which role, and who administers users (2.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.interface.access import Role, access
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
