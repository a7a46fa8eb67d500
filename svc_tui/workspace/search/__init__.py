"""The search over everything: the meanings of a text, the queries, and the results."""
