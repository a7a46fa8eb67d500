"""The cache: what it keeps, what it never keeps, and what it survives."""
