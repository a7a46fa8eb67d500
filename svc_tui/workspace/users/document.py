"""The parts of a customer's documentation about the company itself: contacts, sites, and who may do what."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.access import Role, roles_of
from svc_tui.interface.authentication.user_rules import has_factor
from svc_tui.interface.data import RecordData
from svc_tui.language import _, day_text
from svc_tui.workspace.files.document import Block
from svc_tui.workspace.lists.reports import Reading
from svc_tui.workspace.users.security import is_administrator

#: The facts of a company: label and field.
_FACTS = (
    (_("Status"), "status"),
    (_("Street"), "street"),
    (_("Postal code"), "postalCode"),
    (_("City"), "city"),
    (_("Country"), "country"),
    (_("Time zone"), "timezone"),
    (_("Website"), "website"),
    (_("Administrator email"), "adminEmail"),
    (_("Support email"), "supportEmail"),
    (_("External reference"), "externalReference"),
)


async def company(reading: Reading, record: RecordData) -> AsyncGenerator[Block, None]:
    """The facts and contacts of a company, and its sites. ReadError."""
    facts = [(label, record.get(name)) for label, name in _FACTS if record.get(name)]
    yield Block(_("Company and contacts"), (_("What"), _("Value")), facts, level=2)
    sites = await reading.all("list_sites", {}, {"companyId": str(record.get("id")), "format": "full"})
    rows = [
        (each.get("name"), each.get("status"), each.get("country"), each.get("externalReference")) for each in sites
    ]
    titles = (_("Name"), _("Status"), _("Country"), _("External reference"))
    yield Block(_("Sites"), titles, rows, level=2)


async def administrators(reading: Reading, record: RecordData) -> AsyncGenerator[Block, None]:
    """The users of a company with a role, and how many users there are. ReadError."""
    users = [row async for rows in reading.users() for row in rows]
    rows = [
        (each.get("displayName"), each.get("loginEmail"), _roles(each), has_factor(each), _day(each))
        for each in users
        if is_administrator(each)
    ]
    titles = (_("Name"), _("Login"), _("Roles"), _("Second factor"), _("Last login"))
    sentence = _("{administrators} of {users} users have more rights than their own account.").format(
        administrators=len(rows), users=len(users)
    )
    yield Block(_("Who may do what"), titles, rows, sentence=sentence, level=2)


def _roles(user: RecordDict) -> str:
    admin_type = user.get("adminType")
    found = roles_of(map(str, user.get("roles") or ()), admin_type if isinstance(admin_type, str) else None)
    return ", ".join(role.value for role in Role if role in found - {Role.USER})


def _day(user: RecordDict) -> str:
    return day_text(str(user.get("lastLoginDate") or ""))
