"""Dialogs over the current view."""
