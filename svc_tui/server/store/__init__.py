"""The store: records in a database, one transaction a request, events in the same transaction."""
