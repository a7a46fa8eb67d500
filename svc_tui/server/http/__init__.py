"""The HTTP layer: connections, from a request to a call of a rule, and from its result to a response."""
