"""Applications of developers (2.6, 3, 4.5)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "applications"
