"""Rules of companies, sites and what goes with them; every file here is imported at start."""
