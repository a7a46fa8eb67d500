"""The cells of a subscription in a list: status, licences, renewal. Imports no models, so that lists start fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from svc_tui.console.core import nested_labels
from svc_tui.console.widgets.formatting import NOTHING, choice, whole_day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import catalogue, field_specs, value_words
from svc_tui.interface.dates import continues_monthly, is_soon, renewal_months
from svc_tui.interface.subscriptions.descriptions import runs_out
from svc_tui.interface.subscriptions.rules import OVER
from svc_tui.interface.texts import counted
from svc_tui.language import _


def _length(months: Any) -> str:
    """`1 year`, `3 years`, `18 months`."""
    count = int(months)
    years, rest = divmod(count, 12)
    return counted(years, "year") if years and not rest else counted(count, "month")


def model(value: Any, subscription: Mapping[str, Any] | None = None) -> str:
    """The business model in words."""
    return value_words.BUSINESS_MODELS.get(value, str(value)) if value else NOTHING


def state(subscription: Mapping[str, Any]) -> str:
    """The status, or `syncing` while the billing systems confirm a change of an active subscription."""
    status = str(subscription.get("status") or "unknown")
    return "syncing" if subscription.get("syncOngoing") and status == "active" else status


def seats(subscription: Mapping[str, Any]) -> str:
    """`41/50`: assigned and bought licences; empty where licences are not counted."""
    bought = subscription.get("maxNumberUsers")
    return "" if bought is None else f"{subscription.get('numberAssignedUsers') or 0}/{bought}"


def share_of_seats(subscription: Mapping[str, Any]) -> tuple[float, float] | None:
    """Assigned and bought licences, for a bar; None where licences are not counted."""
    bought = subscription.get("maxNumberUsers")
    return (float(subscription.get("numberAssignedUsers") or 0), float(bought)) if bought else None


def _style_of_seats(value: Any, subscription: Mapping[str, Any]) -> str:
    return "warn" if runs_out(subscription) and subscription.get("status") not in OVER else ""


def _style_of_end(value: Any, subscription: Mapping[str, Any]) -> str:
    is_over = subscription.get("status") in OVER
    return "warn" if not is_over and is_soon(value, datetime.now(UTC).date()) else ""


#: The columns of both lists.
ENDS = Column(
    field="expirationDate",
    title="ENDS",
    width=10,
    format=whole_day,
    style=_style_of_end,
    sort_field="expirationDate",
)
LICENCES = Column(
    field="maxNumberUsers",
    title="LICENCES",
    width=9,
    flex=2,
    limit=18,
    align="right",
    of=seats,
    style=_style_of_seats,
    part=share_of_seats,
    also=("numberAssignedUsers",),
)


def renewal(subscription: Mapping[str, Any]) -> str:
    """The renewal after the term: `auto · 1 year`, `then monthly`, `once · 1 year`; `ends` without one.

    A paid subscription without an end is `monthly`.
    """
    if not subscription.get("expirationDate") and not subscription.get("prepaidDuration"):
        return "" if subscription.get("businessModel") in (None, "none") else _("monthly")
    if continues_monthly(subscription):
        return _("then monthly")
    months = renewal_months(subscription)
    term = f" · {_length(months)}" if months else ""
    if subscription.get("autoRenew"):
        return f"{_('auto')}{term}"
    return f"{_('once')}{term}" if subscription.get("autoRenewOneTime") else _("ends")


def settled(subscription: Mapping[str, Any], missed: Sequence[str]) -> tuple[str, str]:
    """The result of a synchronisation and its style; values refused by the billing systems are unchanged."""
    name, status = subscription.get("offerName") or _("A subscription"), state(subscription)
    if status == "failed":
        return _("{name}: refused by the billing systems.").format(name=name), "bad"
    if missed:
        specs = field_specs.field_by_wire(catalogue.body_of("update_company_subscription"))
        kept = ", ".join(
            f"{specs[wire].label} {nested_labels.value_text(subscription.get(wire), specs[wire])}"
            for wire in missed
            if wire in specs
        )
        return _("{name}: refused by the billing systems. Unchanged: {kept}.").format(name=name, kept=kept), "bad"
    return _("{name} is {status}: synchronisation finished.").format(name=name, status=choice(status)), "ok"


#: Actions of an event -> what happened.
_DONE = {"create": "created", "update": "changed", "delete": "deleted"}


def elsewhere(content: Mapping[str, Any], before: Mapping[str, Any] | None, company: str) -> str:
    """An event about a subscription that was changed elsewhere; the event does not contain the author."""
    known = {**(before or {}), **content}
    name = str(known.get("offerName") or _("A subscription"))
    name += _(" of {company}").format(company=company) if company else ""
    old, new = (before or {}).get("maxNumberUsers"), content.get("maxNumberUsers")
    licences = _(", licences {old} → {new}").format(old=old, new=new) if None not in (old, new) and old != new else ""
    return _("{name} was {done} elsewhere{licences}.").format(
        name=name, done=_DONE.get(str(content.get("action")), "changed"), licences=licences
    )
