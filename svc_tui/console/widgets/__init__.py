"""Widgets that depend only on the terminal."""
