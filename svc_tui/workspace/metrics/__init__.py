"""Statistics and usage as they are looked at: spans of time, series of numbers, and what lies between two of them."""
