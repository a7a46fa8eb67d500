"""The area directory, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.directory import entries, import_resource
from svc_tui.console.core.area import Area
from svc_tui.console.core.resource import RelatedList

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
        "companies": (
            RelatedList("A", "directoryentries", "Directory"),
            RelatedList("D", "directory", "Directory import"),
        ),
    },
)
