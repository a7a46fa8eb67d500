"""The areas of the console, loaded: a package in `svc_tui.console.areas` for each name in `kinds.registry.AREAS`."""

from __future__ import annotations

from importlib import import_module

from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import GLANCES
from svc_tui.console.core.summaries import SUMMARIES
from svc_tui.console.core.value_sources import SOURCES
from svc_tui.workspace.kinds.registry import AREAS as NAMES


def _area(name: str) -> Area:
    area = import_module(f"svc_tui.console.areas.{name}.area").AREA
    if not isinstance(area, Area):
        raise TypeError(f"svc_tui.console.areas.{name}.area.AREA is not an Area")
    return area


#: Plug-ins are added to them (`shell.plugins`).
AREAS = [_area(name) for name in NAMES]
for each in AREAS:
    SUMMARIES.update(each.summaries)
    SOURCES.update(each.value_sources)
    GLANCES.extend(each.glances)
