"""The one list of the console: any number of records, drawn line by line from what is at hand."""
