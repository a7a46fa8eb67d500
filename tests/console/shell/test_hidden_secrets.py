"""Secrets of a record as the raw view and copies hide them: at any depth."""

from __future__ import annotations

from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.views.raw import without_secrets
from svc_tui.console.widgets.formatting import HIDDEN


def test_secrets_inside_a_record_that_a_record_contains_are_hidden() -> None:
    record = {"name": "CRM", "appSecret": "one", "inner": [{"appSecret": "two", "name": "kept"}, "text"], "owner": {}}
    assert without_secrets(BY_NAME["applications"], record) == {
        "name": "CRM",
        "appSecret": HIDDEN,
        "inner": [{"appSecret": HIDDEN, "name": "kept"}, "text"],
        "owner": {},
    }
    assert without_secrets(BY_NAME["applications"], {"appSecret": ""}) == {"appSecret": ""}
