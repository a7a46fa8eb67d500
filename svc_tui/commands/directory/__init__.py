"""Commands for the directory: checks and imports of files."""

from svc_tui.commands.command import Command

COMMAND = Command("Scripts", "directory", "directory.commands:app", "Check and import directory files.")
