"""Backups of the database: one portable file, written and restored while nothing else is needed."""
