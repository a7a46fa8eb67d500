"""Rules of authentication, one file for what belongs together; every file here is imported at start."""
