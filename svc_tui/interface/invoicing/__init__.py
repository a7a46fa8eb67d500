"""Invoicing: files with the line items of partners' bills (2.13, 4.9)."""

from svc_tui.interface.invoicing.operations import *
from svc_tui.interface.invoicing.records import *

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "billing"
