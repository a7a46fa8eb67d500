"""What people see: Textual screens, widgets, the key map, themes."""
