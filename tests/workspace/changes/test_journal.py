"""The journal of changes that can be undone, when its file cannot be written."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from svc_tui.workspace.changes.journal import Journal, UndoEntry
from svc_tui.workspace.core.service import CREATED

ENTRY = UndoEntry(
    "Rename CRM", "applications", "1", "update_application", {"appId": "1"}, {"name": "CRM"}, {"name": "CRM"}
)


def test_a_journal_that_cannot_be_written_is_kept_until_the_console_closes(tmp_path: Path) -> None:
    folder = tmp_path / "taken"
    folder.write_text("a file where the folder should be")
    journal = Journal(folder / "undo.json", AsyncMock())
    assert journal.add(ENTRY)
    assert [entry.label for entry in journal.entries] == ["Rename CRM"]
    assert journal.error_message.endswith("Undo works until this console is closed.")
    folder.unlink()
    journal.forget(journal.entries[0])
    assert (journal.entries, journal.error_message) == ((), "")


def _part(number: int, job: str) -> UndoEntry:
    values = {"name": f"app {number}"}
    path = {"appId": str(number)}
    return UndoEntry(
        f"Edit app {number}", "applications", str(number), "update_application", path, values, values, job=job
    )


def test_the_changes_of_a_job_are_one_entry_that_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "undo.json"
    journal = Journal(file, AsyncMock())
    journal.add(ENTRY)
    for number in range(60):
        journal.add(_part(number, "job"))
    for stored in (journal, Journal(file, AsyncMock())):
        first, job = stored.entries
        assert (first.label, job.label, len(job.parts)) == ("Rename CRM", "Edit app 0 and 59 more", 60)
        assert job.parts[59].body == {"name": "app 59"}
    journal.forget_parts(job, [part.number for part in job.parts[1:]])
    assert [entry.label for entry in journal.entries] == ["Rename CRM", "Edit app 0"]
    journal.forget_parts(journal.entries[1], [job.parts[0].number])
    assert [entry.label for entry in journal.entries] == ["Rename CRM"]


def test_a_creation_is_undone_with_the_id_of_what_was_created() -> None:
    journal = Journal(None, AsyncMock())
    path = {"systemId": "p", "phoneNumberId": CREATED}
    journal.add(
        UndoEntry(
            "Extension 2001", "subscribers", "user", "delete_subscriber", path, None, {}, {"device": "d"}, job="job"
        ),
        {"id": "new", "shortNumber": "2001", "password": "shown once"},
    )
    ((part,),) = (entry.parts for entry in journal.entries)
    # It belongs to the user, as the other changes of the job for this user do.
    assert (part.record_id, part.path) == ("user", {"systemId": "p", "phoneNumberId": "new"})
    assert part.after == {"device": "d"}
    assert "shown once" not in str(part)


def test_older_jobs_are_dropped_when_the_journal_has_too_many_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc_tui.workspace.changes.journal.MOST_RECORDS", 5)
    journal = Journal(None, AsyncMock())
    for job in ("first", "second"):
        for number in range(4):
            journal.add(_part(number, job))
    assert [(entry.number, len(entry.parts)) for entry in journal.entries] == [("second", 4)]
    for number in range(4, 8):
        journal.add(_part(number, "second"))
    assert [len(entry.parts) for entry in journal.entries] == [8]


def test_entries_from_before_there_were_jobs_are_read(tmp_path: Path) -> None:
    file = tmp_path / "undo.json"
    old = {name: value for name, value in asdict(ENTRY).items() if name not in ("job", "parts")}
    file.write_text(json.dumps([old, {"label": "no entry"}]))
    assert Journal(file, AsyncMock()).entries == (ENTRY,)
