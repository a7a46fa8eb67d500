"""The journal of changes that can be undone, when its file cannot be written."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import AsyncMock

from svc_tui.workspace.changes.journal import Journal, UndoEntry

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
