"""The area directory, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.directory import entries, import_resource
from svc_tui.console.core.area import Area
from svc_tui.console.core.resource import Related

AREA = Area(
    title="Directories",
    resources=(
        *import_resource.RESOURCES,
        *entries.RESOURCES,
    ),
    actions=(
        *import_resource.ACTIONS,
        *entries.ACTIONS,
    ),
    related={
        "companies": (Related("A", "directoryentries", "Directory"), Related("D", "directory", "Directory import")),
    },
)
