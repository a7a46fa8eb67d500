"""Directories: entries, and imports of CSV files with their checks and reports (2.19, 4.9)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.directory.entry_operations import *
    from svc_tui.interface.directory.import_operations import *
    from svc_tui.interface.directory.records import *
    from svc_tui.interface.directory.reports import *
    from svc_tui.interface.directory.values import *
else:
    __getattr__ = lazy_names(
        __name__,
        "entry_operations",
        "import_operations",
        "records",
        "reports",
        "values",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "roster"
