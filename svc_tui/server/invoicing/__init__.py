"""Rules of invoicing files; every module is imported at start."""
