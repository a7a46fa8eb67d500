"""Metrics: statistics of companies, usage of applications (2.18, 4.8)."""

from typing import TYPE_CHECKING

from svc_tui.late import late_names

if TYPE_CHECKING:
    from svc_tui.interface.metrics.operations import *
    from svc_tui.interface.metrics.records import *
else:
    __getattr__ = late_names(
        __name__,
        "operations",
        "records",
    )
