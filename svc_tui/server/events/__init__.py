"""Events: from the outbox, where changes leave them, to the people they concern."""
