"""Invoicing: files with the line items of partners' bills (2.13, 4.9)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "billing"
