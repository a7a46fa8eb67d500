"""What follows the term of a subscription (4.6). It loads no models: lists draw with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def goes_on_monthly(subscription: Mapping[str, Any]) -> bool:
    """Whether it goes on month by month after its term, whatever else is said of its renewal."""
    return bool(subscription.get("autoRenewToMonthly") and subscription.get("prepaidDuration"))


def renewal_months(subscription: Mapping[str, Any]) -> int:
    """The months of the term that follows; 0 where it ends, or goes on month by month."""
    present = int(subscription.get("prepaidDuration") or 0)
    renews = subscription.get("autoRenew") or subscription.get("autoRenewOneTime")
    if not present or not renews or goes_on_monthly(subscription):
        return 0
    if subscription.get("renewalTerm"):
        return int(subscription["renewalTerm"])
    return 12 if subscription.get("renewalTermOption") == "1_year" else present
