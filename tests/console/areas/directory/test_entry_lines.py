"""The fields of a directory entry as lines."""

from __future__ import annotations

from svc_tui.console.core.record_lines import record_lines
from svc_tui.interface.directory.records import DirectoryEntry
from svc_tui.interface.field_specs import fields_of


def test_an_entry_shows_its_names_first_and_its_ids_last() -> None:
    lines = record_lines({"id": "e1", "lastName": "Miller", "companyId": "c1"}, fields_of(DirectoryEntry), 60)
    headings = [line.label for line in lines if line.kind == "heading"]
    assert headings == ["Name", "Telephone", "Address", "More", "Record"]
