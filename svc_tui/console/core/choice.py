"""Choices of a picker, and the limits of the records that a field accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from svc_tui.fast_dataclasses import dataclass
from svc_tui.interface.data import RecordData


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry. With a `reason` it is greyed out and cannot be chosen."""

    value: str
    label: str
    detail: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceLimits:
    """The query for the records that a field accepts, and why one of them is unfit; empty when it fits."""

    query: Mapping[str, Any] = field(default_factory=dict)
    unfit_reason: Callable[[RecordData], str] = lambda row: ""
