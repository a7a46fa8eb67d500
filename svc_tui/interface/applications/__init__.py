"""Applications of developers (2.6, 3, 4.5)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.applications.operations import *
    from svc_tui.interface.applications.records import *
else:
    __getattr__ = lazy_names(
        __name__,
        "operations",
        "records",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "applications"
