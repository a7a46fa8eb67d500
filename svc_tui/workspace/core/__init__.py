"""Kinds of records, events, the link and the folders on this machine."""
