"""Writes: undo, bulk jobs, unconfirmed writes and what a change affects."""
