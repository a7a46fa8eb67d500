"""CSV files of directories: how they are read, what their columns are, and when a row is right (4.9).

One set of rules for the console, which checks while a file is mended, and for the service, which has the last word.
"""
