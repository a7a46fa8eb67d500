"""The service without a screen: lists and records through the cache, changes with undo, files and profiles."""
