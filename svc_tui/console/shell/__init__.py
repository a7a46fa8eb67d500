"""The application itself: frame, start-up, login, registry and the general actions."""
