"""The changed fields of an audit record in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from svc_tui.console.core.summaries import Parts
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.language import _


def changes(value: list[Mapping[str, Any]]) -> Parts:
    """Field -> old and new value."""
    return {str(each.get("field") or ""): _values(each) for each in value}


def _values(change: Mapping[str, Any]) -> str:
    if change.get("secret"):
        return _("changed")
    return f"{change.get('old') or NOTHING} → {change.get('new') or NOTHING}"


SUMMARIES: Mapping[str, Callable[[Any], Parts]] = {"changes": changes}
