"""Changes: their effect on open lists and records, undo, bulk jobs and unconfirmed writes."""
