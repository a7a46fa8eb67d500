"""Messages of an import that fails while its dialog is open."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.client.errors import OutcomeUnknown, Refused, ServiceError, Unreachable
from svc_tui.console.areas.directory.progress_dialogs import ImportBox
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.import_run import UNKNOWN, ImportRun
from svc_tui.workspace.directory.target import ImportTarget
from tests.workspace.directory.test_import_run import _Service


def _box(*, sent: bool) -> ImportBox:
    importing = ImportRun(_Service(), ImportTarget("replace", "c1"), Path("a.csv"), CsvFormat("utf-8", ";", "%"))
    importing.upload.state = "done" if sent else "running"
    return ImportBox("a.csv", importing)


@pytest.mark.parametrize("error", [OutcomeUnknown("?"), Unreachable("?"), ReadError("?", offline=True)])
def test_without_a_response_the_result_of_an_import_is_unknown(error: Exception) -> None:
    assert _box(sent=True).error_text(error) == f"?\n{UNKNOWN}\nYour corrections are kept."


@pytest.mark.parametrize(("sent", "error"), [(False, OutcomeUnknown("?")), (True, Refused("?", status=409))])
def test_otherwise_nothing_is_lost(sent: bool, error: ServiceError) -> None:
    assert _box(sent=sent).error_text(error) == "?\nYour corrections are kept."
