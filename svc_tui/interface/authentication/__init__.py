"""Authentication: sessions, single sign-on, API keys, users, MFA, client versions (4.1, 5, 2.1 to 2.4)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "login"
