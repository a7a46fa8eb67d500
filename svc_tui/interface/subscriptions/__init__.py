"""Subscriptions: offers of a company, quotations, subscriptions, licences, and the invoices of partners (4.6)."""

from svc_tui.interface.subscriptions.invoices import *
from svc_tui.interface.subscriptions.licences import *
from svc_tui.interface.subscriptions.offers import *
from svc_tui.interface.subscriptions.operations import *
from svc_tui.interface.subscriptions.quotations import *
