"""Commands for the directory: checks, conversions and imports of files."""

from svc_tui.commands.command import Command
from svc_tui.language import _

COMMAND = Command("Scripts", "directory", "directory.commands:app", _("Check, convert and import directory files."))
