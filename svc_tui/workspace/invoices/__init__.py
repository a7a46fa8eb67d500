"""Invoices: comparison of two invoices, and the lines of invoicing files."""
