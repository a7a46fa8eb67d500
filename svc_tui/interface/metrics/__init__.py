"""Metrics: statistics of companies, usage of applications (2.18, 4.8)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.metrics.operations import *
    from svc_tui.interface.metrics.records import *
else:
    __getattr__ = lazy_names(
        __name__,
        "operations",
        "records",
    )
