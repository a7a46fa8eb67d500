"""Rules of offers, quotations, subscriptions, licences and invoices; every module is imported at start."""
