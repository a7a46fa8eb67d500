"""A correction is lost with the doctor until it is saved or imported, and again when its row is changed once more."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.workspace.directory.corrections import Corrections
from svc_tui.workspace.directory.doctor import Doctor, scan


@pytest.fixture
def doctor(tmp_path: Path) -> Doctor:
    path = tmp_path / "contacts.csv"
    path.write_text("firstName;lastName;country;eMail\nAnn;Miller;FR;ann@acme.example\nBob;Smith;PT;bob@acme.example\n")
    return scan(path)


def test_a_corrected_row_is_ready_until_it_is_imported(doctor: Doctor) -> None:
    corrections = Corrections(doctor)
    assert (corrections.ready, corrections.unsaved) == ([], 0)
    doctor.edit(2, "country", "PRT")
    assert (corrections.ready, corrections.unsaved) == ([2], 1)
    corrections.now_imported({2})
    assert (corrections.ready, corrections.unsaved) == ([], 0)


def test_a_saved_row_is_unsaved_again_when_it_is_changed_again(doctor: Doctor) -> None:
    corrections = Corrections(doctor)
    doctor.edit(1, "country", "FRA")
    corrections.all_saved()
    assert corrections.unsaved == 0
    doctor.edit(1, "country", "DEU")
    corrections.changed([1])
    assert corrections.unsaved == 1


def test_a_file_that_another_program_wrote_is_noticed(doctor: Doctor) -> None:
    corrections = Corrections(doctor)
    assert not corrections.source_changed
    assert doctor.path is not None
    doctor.path.write_text("firstName\n")
    assert corrections.source_changed
    doctor.path.unlink()
    assert corrections.source_changed
