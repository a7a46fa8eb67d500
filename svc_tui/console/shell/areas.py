"""The areas of the console, one line each: the only place that names them."""

from __future__ import annotations

from importlib import import_module

from svc_tui.console.core.area import Area
from svc_tui.console.core.summaries import SUMMARIES
from svc_tui.console.core.value_sources import SOURCES

#: Packages in `svc_tui.console.areas`, in the order of their sections.
NAMES = (
    "applications",
    "authentication",
    "companies",
    "subscriptions",
    "invoices",
    "voice",
    "directory",
    "metrics",
)


def _area(name: str) -> Area:
    area = import_module(f"svc_tui.console.areas.{name}.area").AREA
    if not isinstance(area, Area):
        raise TypeError(f"svc_tui.console.areas.{name}.area.AREA is not an Area")
    return area


AREAS = tuple(_area(name) for name in NAMES)
for each in AREAS:
    if each.summaries:
        SUMMARIES.register(each.summaries)
    if each.value_sources:
        SOURCES.register(each.value_sources)
