"""Directory files: check, correction, import and reports."""
