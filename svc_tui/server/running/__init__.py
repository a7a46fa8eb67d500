"""Processes of a server, and the work that they do beside requests."""
