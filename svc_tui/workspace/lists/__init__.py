"""Lists and records, read through the cache."""
