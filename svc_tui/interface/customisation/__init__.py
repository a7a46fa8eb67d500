"""Customisation: the feature keys of companies and users, and their templates (2.8, 4.4)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.customisation.operations import *
    from svc_tui.interface.customisation.records import *
else:
    __getattr__ = lazy_names(
        __name__,
        "operations",
        "records",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "administration"
