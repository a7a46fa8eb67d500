"""Actions, resources, forms, changes, places and the key map. Draws nothing."""
