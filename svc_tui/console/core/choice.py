"""One entry of a list that something is chosen from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry. With a `reason` it is shown greyed and cannot be taken."""

    value: str
    label: str
    detail: str = ""
    reason: str = ""
