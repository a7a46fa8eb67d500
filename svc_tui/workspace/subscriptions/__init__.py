"""Quotations, licences and the overview of subscriptions."""
