"""svc-tui: a keyboard console for administrators of a multi-tenant communications service."""

__version__ = "0.1.0"
