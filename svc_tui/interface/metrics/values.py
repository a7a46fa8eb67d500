"""Scopes of statistics and periods of usage counters, without the records that have them."""

from __future__ import annotations

from typing import Literal

Scope = Literal["ec", "bp"]
SCOPES = {"ec": "only the company", "bp": "the company and its customers"}
CounterPeriod = Literal["hour", "day", "month"]
