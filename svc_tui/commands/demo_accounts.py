"""`svc-tui demo-accounts`: the accounts of the demo data. Needs no running service."""

from __future__ import annotations

from svc_tui.commands import output
from svc_tui.commands.options import AsJson
from svc_tui.language import _
from svc_tui.server.demo.accounts import accounts


def demo_accounts(*, json: AsJson = False) -> None:
    """List the demo accounts."""
    found = accounts()
    if json:
        output.write_json(found)
        return
    rows = [
        {"login": one["login"], "password": one["password"], "roles": ", ".join(one["roles"]), "note": one["note"]}
        for one in found["accounts"]
    ]
    output.write_table(rows, ("login", "password", "roles", "note"))
    output.write_line(
        _("\nApplication ID: {app_id}\nApplication secret: {app_secret}").format(
            app_id=found["appId"], app_secret=found["appSecret"]
        )
    )
