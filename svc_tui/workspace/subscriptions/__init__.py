"""Subscriptions: quotations, the buyer, licences and the overview across companies."""
