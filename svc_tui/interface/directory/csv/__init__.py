"""CSV files of directories: reading, columns, validation and corrections (4.9).

The console and the service share these rules. The console checks while a file is corrected; the service decides.
"""
