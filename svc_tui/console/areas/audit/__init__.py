"""The audit log in the console."""
