"""`svc-tui demo-accounts`: who can log in to the demo data; needs no running service."""

from __future__ import annotations

from svc_tui.commands.options import AsJson


def demo_accounts(*, json: AsJson = False) -> None:
    """The accounts of the demo data, one for each role."""
    from svc_tui.commands import output
    from svc_tui.server.demo.accounts import accounts

    found = accounts()
    if json:
        output.json_document(found)
        return
    rows = [
        {"login": one["login"], "password": one["password"], "roles": ", ".join(one["roles"]), "note": one["note"]}
        for one in found["accounts"]
    ]
    output.table(rows, ("login", "password", "roles", "note"))
    output.line(f"\nApplication id {found['appId']}, secret {found['appSecret']}")
