"""Which subscriptions of a company need attention, and why (2.10, 3, 4.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta

from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Effect, Finding
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.subscriptions.overview import DAYS, ENDS, RENEWS, RUNS_OUT, days_left, reasons

SUBSCRIPTION, LICENCES = _("Subscription"), _("Licences")
#: A new subscription that is not confirmed after this time has probably stopped in the billing systems.
LONG = timedelta(days=1)
#: Status -> what it means, and its effect.
STATES: dict[str, tuple[str, Effect]] = {
    "failed": (_("rejected by the billing systems"), "prevents"),
    "hold": (_("on hold"), "limits"),
    "alerting": (_("in alert"), "limits"),
    "unknown": (_("its status is unknown"), "limits"),
    "terminating": (_("is being terminated"), "notes"),
}


def subscription_findings(subscriptions: Iterable[RecordData], now: datetime) -> Iterator[Finding]:
    """All findings about the subscriptions of a company."""
    for each in subscriptions:
        yield from _status(each, now)
        yield from _due(each, now.date())


def _status(subscription: RecordData, now: datetime) -> Iterator[Finding]:
    status = str(subscription.get("status") or "")
    if status in STATES:
        means, effect = STATES[status]
        yield _finding(subscription, means, effect, "status", "3")
    created = subscription.get("creationDate")
    if status == "creating" and created and now - moment(str(created)) > LONG:
        days = (now - moment(str(created))).days
        yield _finding(
            subscription, _("not confirmed for {days}").format(days=counted(days, "day")), "limits", "syncOngoing", "3"
        )
    elif subscription.get("syncOngoing"):
        yield _finding(subscription, _("synchronising, changes are blocked"), "notes", "syncOngoing", "4.6")


def _due(subscription: RecordData, today: date) -> Iterator[Finding]:
    found, left = reasons(subscription, today, DAYS), days_left(subscription, today)
    when = _("today") if left == 0 else _("in {left} d").format(left=left) if left and left > 0 else _("now")
    if ENDS in found:
        yield _finding(
            subscription, _("ends {when}, without renewal").format(when=when), "limits", "expirationDate", "4.6"
        )
    elif RENEWS in found:
        yield _finding(subscription, _("renews {when}").format(when=when), "notes", "expirationDate", "4.6")
    if RUNS_OUT in found:
        bought, used = subscription["maxNumberUsers"], subscription.get("numberAssignedUsers") or 0
        effect: Effect = "limits" if used >= bought else "notes"
        sentence = _("{used} of {bought} licences are assigned").format(
            used=number_text(used), bought=number_text(bought)
        )
        yield _finding(subscription, sentence, effect, "maxNumberUsers", "2.10", LICENCES)


def _finding(
    subscription: RecordData, means: str, effect: Effect, field: str, rule: str, about: str = SUBSCRIPTION
) -> Finding:
    name = str(subscription.get("offerName") or "?")
    record_id = str(subscription.get("id") or "")
    return Finding(about, f"“{name}”: {means}.", effect, "subscriptions", field, rule, record_id=record_id)
