"""The names of changes in the audit log."""

from __future__ import annotations

from typing import get_args

from svc_tui.console.areas.audit.resource import AUDIT
from svc_tui.console.shell.resources import ALL
from svc_tui.interface.audit.record_kinds import RECORD_KINDS
from svc_tui.interface.audit.records import Action


def test_a_record_without_a_name_is_called_by_its_kind_and_id() -> None:
    named = {"action": "update", "kind": "applications", "recordId": "5930ba5c", "recordName": "Campus Client"}
    assert AUDIT.label(named) == "update of Campus Client"
    assert AUDIT.label({**named, "recordName": None}) == "update of application 5930ba5c"
    assert AUDIT.label({"action": "login"}) == "login of a record"


def test_every_action_has_a_word_that_can_be_translated() -> None:
    column = next(each for each in AUDIT.display.columns if each.field == "action")
    assert tuple(column.state) == get_args(Action)


def test_every_kind_of_record_has_the_noun_of_its_list() -> None:
    column = next(each for each in AUDIT.display.columns if each.field == "kind")
    assert column.words({"kind": "mfasettings"}) == "policy"
    nouns = {resource.kind.name: resource.singular for resource in ALL}
    assert {kind: nouns.get(kind, noun) for kind, noun in RECORD_KINDS.items()} == RECORD_KINDS


def test_the_changes_have_the_labels_of_their_fields_and_no_secret() -> None:
    column = next(each for each in AUDIT.display.columns if each.field == "changes")

    def text(*fields: str, **more: object) -> str:
        return column.words({"changes": [{"field": field, "old": "a", "new": None, **more} for field in fields]})

    assert text("jobTitle", "loginEmail") == "Job title a → —, Login a → —"
    assert text("appSecret", secret=True) == "App secret changed"
    assert text("loginEmail", "owner.loginEmail") == "loginEmail a → —, owner.loginEmail a → —"
    assert column.words({"count": 12, "changes": []}) == "12 records"
