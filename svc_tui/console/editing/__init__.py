"""Editing, saving, exporting and copying records of any kind."""
