"""Security: passwords, tokens, and authentication of requests."""
