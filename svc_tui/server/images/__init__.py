"""Rules of pictures (avatars and splash screens); every file here is imported at start."""
