"""`svc-tui config`: check the configuration, show where each value comes from, and its schema for editors."""

from __future__ import annotations

from cyclopts import App

from svc_tui.commands import configuration
from svc_tui.commands.options import AsJson, ProfileName
from svc_tui.language import _

app = App(name="config", version_flags=[], help_epilogue="", help=_("Check and explain the configuration."))


@app.command
def check() -> None:
    """List all problems of the configuration files and of their key maps. The exit code is 2 when there is one."""
    configuration.check()


@app.command
def show(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Show the settings of a profile and where each value comes from. Secrets are not shown."""
    configuration.show(profile, json=json)


@app.command
def schema() -> None:
    """Print the JSON Schema of config.toml, with which editors complete and check it."""
    configuration.schema()
