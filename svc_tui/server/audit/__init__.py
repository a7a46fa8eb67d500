"""The audit log of this server."""
