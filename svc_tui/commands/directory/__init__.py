"""Commands for the directory: checks and imports of files."""

from svc_tui.commands.command import Command
from svc_tui.language import _

COMMAND = Command("Scripts", "directory", "directory.commands:app", _("Check and import directory files."))
