"""Directories: entries, and imports of CSV files with their checks and reports (2.19, 4.9)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "roster"
