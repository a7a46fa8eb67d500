"""Kinds of records, one module an area: which operations list, read and change them, and how they are filtered."""
