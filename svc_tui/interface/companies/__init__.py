"""Companies and their settings, sites, countries, catalogs and offers (2.7, 2.9, 4.4)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.companies.offers import *
    from svc_tui.interface.companies.operations import *
    from svc_tui.interface.companies.records import *
    from svc_tui.interface.companies.sites import *
else:
    __getattr__ = lazy_names(
        __name__,
        "offers",
        "operations",
        "records",
        "sites",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "company"
