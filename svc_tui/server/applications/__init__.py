"""Rules of applications; every file here is imported at start."""
