"""Delivery of events: from the outbox to the logs of their recipients."""
