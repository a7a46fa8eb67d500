"""Security: passwords, tokens, and who is behind a request."""
