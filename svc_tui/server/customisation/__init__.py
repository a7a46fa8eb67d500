"""Rules of customisation templates; every file here is imported at start."""
