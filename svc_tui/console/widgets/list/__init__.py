"""The list widget: any number of records, drawn line by line."""
