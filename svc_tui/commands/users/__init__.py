"""Commands for users: checks and imports of files."""

from svc_tui.commands.command import Command
from svc_tui.language import _

COMMAND = Command("Scripts", "users", "users.commands:app", _("Check and import files of users."))
