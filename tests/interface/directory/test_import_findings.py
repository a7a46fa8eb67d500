"""Findings about the last import of a directory (2.19)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from svc_tui.interface.directory.values import import_findings

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def found(**status: Any) -> list[tuple[str, str]]:
    return [(each.sentence, each.field) for each in import_findings(status, NOW)]


def test_failed_rows_are_counted_among_all_rows() -> None:
    assert found(state="Completed with failure", created=20, updated=3, deleted=1, failed=16) == [
        ("Last import: 16 of 40 rows failed.", "failed")
    ]


def test_a_failed_import_without_counts() -> None:
    assert found(state="Completed with failure") == [("The last import failed.", "state")]


def test_an_import_that_does_not_end() -> None:
    assert found(state="Creating", startTime="2026-11-22T10:00:00.000Z") == [
        ("The import of 2026-11-22 has not ended.", "startTime")
    ]
    assert found(state="Creating", startTime="2026-11-22T11:30:00.000Z") == []


def test_a_successful_import_has_no_findings() -> None:
    assert found(state="Completed successfully", created=20, failed=0, startTime="2026-11-20T10:00:00.000Z") == []
