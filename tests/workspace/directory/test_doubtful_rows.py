"""Doubtful rows in the doctor: a third kind, left over by a conversion until a choice resolves them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from svc_tui.interface.directory.csv.encodings import UnknownEncoding
from svc_tui.workspace.directory import doctor as doctors
from svc_tui.workspace.directory.conversion import check_result, convert, marked_source
from svc_tui.workspace.directory.doctor import Doctor, scan

CASES = Path(__file__).parents[2] / "commands/directory/cases"
TEXT = (
    "lastName;workPhoneNumber0;eMail;country\n"
    "Hahn;030 123456;a@b.example;DEU\n"
    "Klein;30123456;a@b.example;DEU\n"
    "Lang;30123456;no;DEU\n"
    "Roth;30123456;c@d.example;DEU\n"
)


def scanned(folder: Path, text: str = TEXT, country: str = "") -> Doctor:
    path = folder / "contacts.csv"
    path.write_text(text, encoding="utf-8")
    return scan(path, country=country)


def sent(doctor: Doctor) -> list[str]:
    """The rows that an import sends, as lines."""
    out = io.BytesIO()
    convert(doctor, out)
    return out.getvalue().decode().splitlines()[1:]


def test_a_row_is_right_doubtful_or_faulty(tmp_path: Path) -> None:
    doctor = scanned(tmp_path)
    assert (doctor.total, doctor.right, doctor.doubtful, doctor.left) == (4, 1, 2, 3)
    assert [(row.number, row.doubtful) for row in doctor.rows] == [(2, True), (3, False), (4, True)]
    assert sent(doctor) == ["Hahn;+4930123456;a@b.example;DEU"]
    counts = check_result(doctor)
    assert (counts["okCount"], counts["doubtfulCount"], counts["errorCount"]) == (1, 2, 1)


def test_a_choice_makes_a_doubtful_row_right(tmp_path: Path) -> None:
    doctor = scanned(tmp_path)
    doctor.edit(2, "workPhoneNumber0", "0301 23456")
    assert (doctor.right, doctor.doubtful) == (2, 1)
    doctor.restore(2)
    assert doctor.doubtful == 2
    # The same value in other rows, also in a faulty one.
    assert doctor.apply_suggestions(2, "workPhoneNumber0") == [2, 3, 4]
    assert (doctor.right, doctor.doubtful, doctor.left) == (3, 0, 1)


def test_accepting_takes_only_the_suggestions_of_doubtful_rows(tmp_path: Path) -> None:
    doctor = scanned(tmp_path)
    doctor.accept_doubtful()
    assert (doctor.right, doctor.doubtful, doctor.left) == (3, 0, 1)
    assert not doctor.row(3).changed
    assert [line.partition(";")[0] for line in sent(doctor)] == ["Hahn", "Klein", "Roth"]


def test_doubtful_rows_that_are_not_kept_are_counted_and_left_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctors, "MOST_KEPT", 1)
    doctor = scanned(tmp_path)
    doctor.accept_doubtful()
    assert (doctor.right, doctor.doubtful, doctor.left) == (2, 1, 2)
    assert [line.partition(";")[0] for line in sent(doctor)] == ["Hahn", "Klein"]


def test_the_rows_that_are_sent_keep_their_numbers_and_lines_in_results(tmp_path: Path) -> None:
    rows = convert(
        scanned(tmp_path, TEXT.replace("Hahn;030 123456", "Hahn;1001") + "Zahn;030 123457;;DEU\n"), io.BytesIO()
    )
    assert rows.renamed({"entry1": {"errors": []}}) == {"entry5": {"errors": [], "line": 6}}


def test_the_wrong_value_is_marked_in_its_column(tmp_path: Path) -> None:
    doctor = scanned(tmp_path, "lastName;workPhoneNumber0;otherPhoneNumber0\n12;030 12;12\n12;030 123456;12\n", "DEU")
    first, second = (marked_source(row, doctor.columns, doctor.csv_format) for row in doctor.rows)
    assert second == "12;030 123456;▸12"
    assert first.startswith("12;") and first.endswith(";▸12")


def test_only_right_rows_of_the_cases_are_sent(tmp_path: Path) -> None:
    right = {
        "01": ["Hahn;+4915112345678;DEU", "Ek;+46701234567;SWE"],
        "02": [],
        "03": ["Rossi;+390612345678;ITA", "Roy;+33142685300;FRA"],
        "04": ["Roy;+33612345678;FRA"],
        "05": [],
        "06": ['"Meier";"80% Pensum"'],
        "09": ["Silva;01000;+33142685300;FRA"],
        "10": ["Roy;+33142685300;FRA"],
        "11": ["Ana;Silva;FRA"],
        "12": ["Ana;Silva;FRA"],
        "13": ["Ana;Silva;PRT"],
    }
    for name, lines in right.items():
        assert sent(scan(CASES / f"{name}.csv")) == lines, name
    (google,), (zoe, jon) = (sent(scan(CASES / f"{name}.csv", country="FRA")) for name in ("14", "15"))
    assert google == "Ana;Silva;Acme;Buyer;Purchasing;+33142685300;;+33612345678;;;;ana@example.org"
    assert {"Müller", "+33142685300", "+33612345678", "FRA"} <= set(zoe.split(";"))
    assert {"Berg", "+12025550143", "USA"} <= set(jon.split(";"))
    # The files of the repository are all UTF-8.
    for name, encoding in (("07", "mac_roman"), ("08", "cp850")):
        path = tmp_path / f"{name}.csv"
        path.write_bytes((CASES / path.name).read_bytes().decode().encode(encoding))
        with pytest.raises(UnknownEncoding):
            scan(path)
