"""The whole thing: the command on a real terminal, its private service behind it."""
