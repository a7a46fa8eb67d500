"""Pictures of the console: compared by tests, and made into the PNG files of `screenshots/`."""
