"""Rules of authentication; every module is imported at start."""
