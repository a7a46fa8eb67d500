"""Flat names of statistics, as in their export (2.18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def flat_statistics(numbers: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The numbers of nested objects under joined names: `users_total`, `usages_chat`."""
    found: dict[str, Any] = {}
    for name, value in numbers.items():
        # `_types` and `_clients` only group other names.
        key = "_".join(part for part in (prefix, "" if name in ("_types", "_clients") else name.strip("_")) if part)
        if isinstance(value, Mapping):
            found |= flat_statistics(value, key)
        else:
            found[key.replace("subscriptions_", "profiles_").removesuffix("Max")] = value
    return found
