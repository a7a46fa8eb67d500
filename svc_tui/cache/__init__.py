"""What was seen before: SQLite, by profile and user."""
