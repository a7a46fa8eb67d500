"""Statistics and usage: spans of time, series of numbers, comparisons and export."""
