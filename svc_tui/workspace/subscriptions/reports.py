"""Reports across companies: licences that are idle, and licences that are free or assigned too often."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import datetime

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.authentication.user_rules import is_voice_only
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.files.document import Block
from svc_tui.workspace.lists.reports import Reading, Report, ReportColumn, days_since
from svc_tui.workspace.subscriptions.licences import profiles_of
from svc_tui.workspace.subscriptions.overview import OVER

#: Days without a login after which a licence is idle, in steps.
IDLE_DAYS = (90, 60, 30)
INACTIVE, NEVER = _("inactive user"), _("never logged in")


def idle_rows(user: RecordData, now: datetime) -> Iterator[RecordDict]:
    """The licences of a user that are paid for and not used, each with the reason.

    Default licences cost nothing, and users of voice phones do not log in. Without a login, the days count from the
    assignment of the licence.
    """
    voice = is_voice_only(user)
    for licence in profiles_of(user):
        if licence.get("isDefault") or licence.get("status") == "terminated":
            continue
        last = user.get("lastLoginDate")
        since = last or licence.get("assignationDate") or user.get("creationDate")
        idle = days_since(since, now)
        if user.get("isActive") is False or user.get("isTerminated"):
            why = INACTIVE
        elif voice:
            continue
        elif not last:
            why = NEVER
        elif (days := next((each for each in IDLE_DAYS if idle is not None and idle >= each), 0)) != 0:
            why = _("idle for {days} days").format(days=days)
        else:
            continue
        yield {
            "id": f"{user.get('id')}:{licence.get('subscriptionId')}",
            "userId": user.get("id"),
            "companyId": user.get("companyId"),
            "subscriptionId": licence.get("subscriptionId"),
            "companyName": user.get("companyName"),
            "displayName": user.get("displayName"),
            "loginEmail": user.get("loginEmail"),
            "offerName": licence.get("offerName"),
            "why": why,
            "idleDays": None if idle is None else max(0, idle),
            "lastLoginDate": last,
            "assignationDate": licence.get("assignationDate"),
        }


def seat_rows(company: RecordData) -> Iterator[RecordDict]:
    """The subscriptions of a company with a number of licences: how many are assigned, free, or over that number."""
    held = company.get("subscriptions")
    for each in held if isinstance(held, list) else ():
        bought, used = (each.get("maxNumberUsers"), each.get("numberAssignedUsers") or 0) if each else (None, 0)
        if not isinstance(bought, int) or not isinstance(used, int) or each.get("status") in OVER:
            continue
        if each.get("isDefault") or each.get("businessModel") != "nb_users":
            continue
        yield {
            "id": str(each.get("id")),
            "companyId": company.get("id"),
            "companyName": company.get("name"),
            "offerName": each.get("offerName"),
            "maxNumberUsers": bought,
            "numberAssignedUsers": used,
            "free": max(0, bought - used),
            "over": max(0, used - bought),
            "share": round(used / bought, 4) if bought else None,
            "expirationDate": each.get("expirationDate"),
        }


async def licences(reading: Reading, company: RecordData) -> AsyncGenerator[Block, None]:
    """The part of a customer's documentation about its licences."""
    rows = [
        (
            row["offerName"],
            row["maxNumberUsers"],
            row["numberAssignedUsers"],
            row["free"],
            str(row["expirationDate"] or "")[:10],
        )
        for row in seat_rows(company)
    ]
    titles = (_("Licence"), _("Bought"), _("Assigned"), _("Free"), _("Ends"))
    yield Block(_("Licences"), titles, rows, level=2)


async def _licences(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    async for users in reading.users():
        yield [row for user in users for row in idle_rows(user, reading.now)]


async def _seats(reading: Reading) -> AsyncGenerator[Sequence[RecordDict], None]:
    async for companies in reading.pages("list_companies", {"format": "full"}, field="id"):
        yield [row for company in companies for row in seat_rows(company)]


_COMPANY = ReportColumn(field="companyName", title=_("COMPANY"), width=14, flex=2)
_OFFER = ReportColumn(field="offerName", title=_("LICENCE"), width=10, flex=2)

LICENCES = Report(
    name="licences",
    title=_("Idle licences"),
    help=_("Licences whose holders have not logged in for 30 days or ever, or are inactive"),
    columns=(
        _COMPANY,
        ReportColumn(field="displayName", title=_("HOLDER"), width=16, flex=2),
        ReportColumn(field="loginEmail", title=_("LOGIN"), width=20, flex=2, priority=3),
        _OFFER,
        ReportColumn(field="why", title=_("REASON"), width=16),
        ReportColumn(field="idleDays", title=_("IDLE"), type="number", unit="d", width=6),
        ReportColumn(field="lastLoginDate", title=_("LAST LOGIN"), type="moment", width=14, priority=1),
        ReportColumn(field="assignationDate", title=_("SINCE"), type="day", width=10, priority=2),
    ),
    operation="list_users",
    read=_licences,
    sort="idleDays",
    descending=True,
)
SEATS = Report(
    name="seats",
    title=_("Free licences"),
    help=_("How many licences of each subscription are assigned, free, or over the number bought"),
    columns=(
        _COMPANY,
        _OFFER,
        ReportColumn(field="maxNumberUsers", title=_("BOUGHT"), type="number", width=8),
        ReportColumn(field="numberAssignedUsers", title=_("ASSIGNED"), type="number", width=9),
        ReportColumn(field="free", title=_("FREE"), type="number", width=7),
        ReportColumn(field="over", title=_("OVER"), type="number", width=6, priority=1),
        ReportColumn(field="share", title=_("IN USE"), type="share", width=7, priority=2),
        ReportColumn(field="expirationDate", title=_("ENDS"), type="day", width=10, priority=3),
    ),
    operation="list_companies",
    read=_seats,
    sort="free",
    descending=True,
)
