"""Profiles: the configuration files, the connection profiles in them, and preferences."""
