"""Directories on the server: entries, imports and their reports (4.9)."""
