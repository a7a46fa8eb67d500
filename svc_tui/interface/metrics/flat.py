"""Statistics laid flat, as their export has them: one rule for both sides (2.18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def flattened(numbers: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Inner documents laid flat: `users_total`, `usages_chat`."""
    found: dict[str, Any] = {}
    for name, value in numbers.items():
        # `_types` and `_clients` are brackets, not names.
        key = "_".join(part for part in (above, "" if name in ("_types", "_clients") else name.strip("_")) if part)
        if isinstance(value, Mapping):
            found |= flattened(value, key)
        else:
            found[key.replace("subscriptions_", "profiles_").removesuffix("Max")] = value
    return found
