"""Invoicing: the files of line items that partners are billed by (2.13, 4.9)."""

from svc_tui.interface.invoicing.operations import *
from svc_tui.interface.invoicing.records import *
