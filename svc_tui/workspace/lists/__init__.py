"""Lists and records of the service, read through the cache."""
