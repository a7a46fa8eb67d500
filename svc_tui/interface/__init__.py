"""The interface of the service, declared once. Pure: no I/O, no clock, no settings."""
