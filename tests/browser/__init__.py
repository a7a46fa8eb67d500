"""Pages of the service in a real browser."""
