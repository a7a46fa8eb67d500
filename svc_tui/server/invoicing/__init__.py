"""Rules of the invoicing files; every file here is imported at start."""
