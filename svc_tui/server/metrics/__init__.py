"""Metrics on the server: statistics of companies, usage of applications (4.8)."""
