"""The area directory, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.directory import company_overview, entries, home, import_resource, tour
from svc_tui.console.core.area import Area
from svc_tui.console.core.home import Attention, SuggestedTask
from svc_tui.console.core.resource import RelatedList
from svc_tui.language import _

AREA = Area(
    title=_("Directories"),
    resources=(
        *import_resource.RESOURCES,
        *entries.RESOURCES,
    ),
    actions=(
        *import_resource.ACTIONS,
        *entries.ACTIONS,
    ),
    attention=(
        Attention(
            one=_("row of the last directory import failed"),
            several=_("rows of the last directory import failed"),
            place="directory",
            count=home.failed_rows,
        ),
    ),
    tasks=(
        SuggestedTask(
            text=_("Check a file of contacts before it is imported"),
            place="directory",
            operation="check_company_directory_csv",
        ),
    ),
    tour=tour.TASK,
    overview={"companies": company_overview.SECTIONS},
    related={
        "companies": (
            RelatedList("A", "directoryentries", "Directory"),
            RelatedList("D", "directory", "Directory import"),
        ),
    },
)
