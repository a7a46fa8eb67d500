"""Subscriptions: company offers, quotations, subscriptions, licences and partner invoices (4.6)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "subscriptions"
