"""Scopes of statistics and periods of usage counters, without the records that have them."""

from __future__ import annotations

from typing import Literal

from svc_tui.language import _

Scope = Literal["ec", "bp"]
SCOPES = {"ec": _("only the company"), "bp": _("the company and its customers")}
CounterPeriod = Literal["hour", "day", "month"]
