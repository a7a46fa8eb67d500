"""Applications: what their OAuth settings mean."""
