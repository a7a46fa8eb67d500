"""Connection profiles, settings and preferences."""
