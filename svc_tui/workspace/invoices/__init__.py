"""Invoice comparison and invoice lines."""
