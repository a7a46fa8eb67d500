"""The store: records in a database, with one transaction for each request and its events."""
