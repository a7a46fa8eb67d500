"""The names of changes in the audit log."""

from __future__ import annotations

from svc_tui.console.areas.audit.resource import AUDIT


def test_a_record_without_a_name_is_called_by_its_kind_and_id() -> None:
    named = {"action": "update", "kind": "application", "recordId": "5930ba5c", "recordName": "Campus Client"}
    assert AUDIT.label(named) == "update of Campus Client"
    assert AUDIT.label({**named, "recordName": None}) == "update of application 5930ba5c"
    assert AUDIT.label({"action": "login"}) == "login of a record"
