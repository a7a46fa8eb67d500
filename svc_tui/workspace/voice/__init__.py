"""Voice: subscribers created from a file."""
