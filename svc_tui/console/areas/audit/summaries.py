"""The changed fields of an audit record in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from svc_tui.console.core.summaries import Parts
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface import labels
from svc_tui.language import _


def changes(value: list[Mapping[str, Any]]) -> Parts:
    """Label of each field -> old and new value. Fields with the same label have their names in the API."""
    names = [str(each.get("field") or "") for each in value]
    counted = Counter(map(labels.label_of, names))
    shown = (label if counted[label := labels.label_of(name)] == 1 else name for name in names)
    return {name: _values(each) for name, each in zip(shown, value, strict=True)}


def _values(change: Mapping[str, Any]) -> str:
    if change.get("secret"):
        return _("changed")
    return f"{change.get('old') or NOTHING} → {change.get('new') or NOTHING}"


SUMMARIES: Mapping[str, Callable[[Any], Parts]] = {"changes": changes}
