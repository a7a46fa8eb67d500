"""Images: avatars of companies and bots, and splash screens (4.2, 4.3, 4.4)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.images.operations import *
    from svc_tui.interface.images.records import *
else:
    __getattr__ = lazy_names(
        __name__,
        "operations",
        "records",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "files"
