"""Metrics: statistics of companies, usage of applications (2.18, 4.8)."""
