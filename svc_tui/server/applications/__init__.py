"""Rules of applications; every module is imported at start."""
