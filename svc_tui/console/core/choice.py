"""Choosing: one entry of a list, and what limits the records that a field accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from svc_tui.interface.data import RecordData


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry. With a `reason` it is shown greyed and cannot be taken."""

    value: str
    label: str
    detail: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What is asked of the records that a field can name, and why one of them does not do; empty when it does."""

    query: Mapping[str, Any] = field(default_factory=dict)
    unfit: Callable[[RecordData], str] = lambda row: ""
