"""The service itself: rules, store, routes."""
