"""The ground floor: what the service offers, declared once. Pure: no I/O, no clock, no settings."""
