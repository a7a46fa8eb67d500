"""Papers that the service draws: an invoice as PDF."""
