"""Renewal of a subscription after its term (4.6). It loads no models: lists draw with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def continues_monthly(subscription: Mapping[str, Any]) -> bool:
    """Whether it continues month by month after its term, independent of its other renewal settings."""
    return bool(subscription.get("autoRenewToMonthly") and subscription.get("prepaidDuration"))


def renewal_months(subscription: Mapping[str, Any]) -> int:
    """The months of the next term. 0 when the subscription ends, or continues month by month."""
    present = int(subscription.get("prepaidDuration") or 0)
    renews = subscription.get("autoRenew") or subscription.get("autoRenewOneTime")
    if not present or not renews or continues_monthly(subscription):
        return 0
    if subscription.get("renewalTerm"):
        return int(subscription["renewalTerm"])
    return 12 if subscription.get("renewalTermOption") == "1_year" else present
