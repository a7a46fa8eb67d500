"""The service: rules, store and routes."""
