"""Creating subscribers in bulk."""
