"""The audit log: an extension of this server, which the specification does not have."""
