"""Images: avatars of companies and bots, and splash screens (4.2, 4.3, 4.4)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "files"
