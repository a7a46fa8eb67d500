"""Previously read data: SQLite, by profile and user."""
