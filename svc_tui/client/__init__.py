"""What speaks HTTP: credentials, paging, retries, the call log."""
