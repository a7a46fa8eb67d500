"""Invoicing: files with the line items of partners' bills (2.13, 4.9)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.invoicing.operations import *
    from svc_tui.interface.invoicing.records import *
else:
    __getattr__ = lazy_names(
        __name__,
        "operations",
        "records",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "billing"
