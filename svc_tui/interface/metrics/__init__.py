"""Metrics: statistics of companies, usage of applications (2.18, 4.8)."""

from svc_tui.interface.metrics.operations import *
from svc_tui.interface.metrics.records import *
