"""The audit log: an extension of this server, which the specification does not have."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.audit.operations import *
    from svc_tui.interface.audit.records import *
else:
    __getattr__ = lazy_names(
        __name__,
        "operations",
        "records",
    )
