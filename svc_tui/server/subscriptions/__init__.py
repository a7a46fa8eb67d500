"""Rules of offers, quotations, subscriptions, licences and invoices; every file here is imported at start."""
