"""Widgets that know the terminal only."""
