"""Customisation: the feature keys of companies and users, and their templates (2.8, 4.4)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "administration"
