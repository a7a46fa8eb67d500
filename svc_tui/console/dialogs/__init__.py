"""Boxes that open over the present view and give it back as it was."""
