"""The names of changes in the audit log, and its numbers of the last days."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from svc_tui.console.areas.audit.home import logins, recent_changes
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


@pytest.mark.parametrize(
    ("total", "days"),
    [
        # All that there is was read: the days without an entry had none.
        (3, (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1)),
        # There are more: what happened up to the oldest day that was read is not known.
        (900, (None,) * 11 + (0, 1, 1)),
    ],
)
async def test_days_that_were_not_read_have_no_number_of_logins(total: int, days: tuple[int | None, ...]) -> None:
    entries = [{"action": "login", "date": f"2026-11-{day}T09:00:00.000Z"} for day in (21, 20, 18)]
    first, *_ = await logins(_read(entries, total))
    assert (first.label, first.value, first.days) == ("Logins", "1", days)


async def test_where_the_entries_that_are_read_are_of_today_the_last_days_have_no_lines() -> None:
    entries = [{"action": "update", "date": "2026-11-22T09:00:00.000Z"}] * 200
    assert await logins(_read(entries, 201)) == []
    assert len(await logins(_read(entries, 200))) == 3


async def test_what_jobs_of_the_service_change_is_no_recent_change() -> None:
    done = {"action": "update", "kind": "users", "date": "2026-11-21T09:00:00.000Z"}
    entries = [{**done, "recordName": "by a job", "job": "synchronisations"}, {**done, "recordName": "by a user"}]
    assert [row.label for row in await recent_changes(_read(entries, 2))] == ["by a user (user): changed"]


def _read(entries: list[dict[str, str]], total: int) -> Any:
    async def read(operation: str, path: object, query: dict[str, object]) -> dict[str, object]:
        assert operation == "list_audit_records"
        return {"data": [each for each in entries if not query.get("byRequest") or "job" not in each], "total": total}

    now = datetime(2026, 11, 22, 12, tzinfo=UTC).timestamp()
    return SimpleNamespace(read=read, workspace=SimpleNamespace(now=lambda: now, caller=None))
