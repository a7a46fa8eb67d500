"""The console in a browser: a page with a terminal, and a console process on a pseudo-terminal for each tab.

Nothing of the console is imported: its processes are started as a user would start them.
"""
