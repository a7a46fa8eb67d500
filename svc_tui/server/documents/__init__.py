"""Documents that the service generates: invoices as PDF."""
