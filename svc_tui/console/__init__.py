"""The console: Textual screens, widgets, key map and themes."""
