"""What the console works on: read-through cache, live updates, undo; no Textual in here."""
