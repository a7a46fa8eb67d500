"""Subscriptions: company offers, quotations, subscriptions, licences and partner invoices (4.6)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.subscriptions.invoices import *
    from svc_tui.interface.subscriptions.licences import *
    from svc_tui.interface.subscriptions.offers import *
    from svc_tui.interface.subscriptions.operations import *
    from svc_tui.interface.subscriptions.quotations import *
    from svc_tui.interface.subscriptions.records import *
else:
    __getattr__ = lazy_names(
        __name__,
        "invoices",
        "licences",
        "offers",
        "operations",
        "quotations",
        "records",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "subscriptions"
