"""Faulty rows are found, corrected and saved; all other lines of the file stay unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.workspace.directory.doctor import ScanProgress, ScanStopped, corrected_path, doctor_of_report, scan

TEXT = (
    "% contacts of the fair\r\n"
    "firstName;lastName;country;eMail\r\n"
    "Ann;Miller;FRA;ann@acme.example\r\n"
    "Bob;Smith;PT;bob@acme.example\r\n"
    "% who is this?\r\n"
    '"Cid\r\nJunior";Zola;PT;no-mail\r\n'
    ";;FRA;\r\n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "contacts.csv"
    path.write_bytes(TEXT.encode())
    return path


def test_only_faulty_rows_are_kept(file: Path) -> None:
    doctor = scan(file)
    assert (doctor.total, doctor.left, [each.number for each in doctor.rows]) == (4, 3, [2, 3, 4])
    assert doctor.fault_kinds()[0] == ("country", "country", 2)


def test_a_corrected_cell_is_checked_at_once(file: Path) -> None:
    doctor = scan(file)
    assert doctor.edit(2, "country", "PRT") == []
    assert (doctor.left, doctor.corrected) == (2, 1)
    assert [fault.column for fault in doctor.edit(3, "country", "PRT")] == ["eMail"]
    doctor.restore(2)
    assert (doctor.left, doctor.row(2).cells[2]) == (3, "PT")


def test_rows_with_the_same_faulty_value_are_found(file: Path) -> None:
    doctor = scan(file)
    assert doctor.same_value(2, "country") == [2, 3]


def test_a_row_can_be_retyped(file: Path) -> None:
    doctor = scan(file)
    assert doctor.retype(4, "Dan;Young;FRA;") == []
    with pytest.raises(BadFile):
        doctor.retype(4, 'Dan;"Young')
    assert doctor.row(4).cells[0] == "Dan"


def test_the_corrected_file_differs_in_the_corrected_rows_only(file: Path) -> None:
    doctor = scan(file)
    doctor.edit(2, "country", "PRT")
    doctor.edit(3, "country", "PRT")
    doctor.edit(3, "eMail", "cid@100%.example")
    doctor.retype(4, "Dan;Young;FRA;")
    target = corrected_path(file)
    assert target.name == "contacts.corrected.csv"
    assert doctor.save(target) == 3
    assert target.read_bytes().decode() == (
        "% contacts of the fair\r\n"
        "firstName;lastName;country;eMail\r\n"
        "Ann;Miller;FRA;ann@acme.example\r\n"
        "Bob;Smith;PRT;bob@acme.example\r\n"
        "% who is this?\r\n"
        '"Cid\r\nJunior";"Zola";"PRT";"cid@100%.example"\r\n'
        "Dan;Young;FRA;\r\n"
    )
    assert file.read_bytes().decode() == TEXT
    assert scan(target).left == 0
    assert corrected_path(file).name == "contacts.corrected-2.csv"


def test_a_file_in_another_encoding_is_saved_as_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_bytes("lastName;country\nMüller;DE\n".encode("cp1252"))
    doctor = scan(path)
    doctor.edit(1, "country", "DEU")
    doctor.save(corrected_path(path))
    assert corrected_path(path).name == "old.corrected-2.csv"
    assert (tmp_path / "old.corrected.csv").read_text("utf-8") == "lastName;country\nMüller;DEU\n"


def test_faulty_rows_are_saved_alone(file: Path, tmp_path: Path) -> None:
    doctor = scan(file)
    target = tmp_path / "failed.csv"
    assert doctor.save_faulty(target) == 3
    again = scan(target)
    assert again.total == 3 and again.left == 3


def test_corrected_rows_can_be_created_one_by_one(file: Path) -> None:
    doctor = scan(file)
    doctor.edit(2, "country", "PRT")
    expected = {"firstName": "Bob", "lastName": "Smith", "country": "PRT", "eMail": "bob@acme.example"}
    assert doctor.entries() == [(2, expected)]


def test_a_report_of_the_service_is_corrected_like_a_file() -> None:
    report: dict[str, dict[str, Any]] = {
        "entry2": {
            "csvSource": "Bob;Smith;PT",
            "errorDetails": {"param": "country", "msg": "is no country", "value": "PT"},
        },
        "entry7": {
            "csvSource": "Cid;Zola;FRA",
            "errors": [{"param": "lastName", "msg": "exists already", "value": "Zola"}],
        },
        "entry9": {"csvSource": 'Dan;"Young', "errorDetails": "the directory is full"},
    }
    doctor = doctor_of_report("firstName;lastName;country", report, synchronizing=False, country="FRA")
    assert [(each.number, each.faults[0].msg) for each in doctor.rows] == [
        (2, "is no country"),
        (7, "exists already"),
        (9, "the directory is full"),
    ]
    assert doctor.row(2).faults[0].rule == "country" and doctor.row(7).faults[0].rule == "service"
    assert doctor.row(9).cells == ['Dan;"Young']


def test_a_long_scan_reports_its_progress_and_can_be_stopped(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("lastName;country\n" + "Miller;FR\n" * 90_000)
    heard: list[ScanProgress] = []

    def report(progress: ScanProgress) -> bool:
        heard.append(progress)
        return len(heard) < 3

    with pytest.raises(ScanStopped):
        scan(path, on_progress=report)
    first, second, third = (each.rows for each in heard)
    assert 0 <= first < second < third < 90_000
    assert all(each.read <= each.size == path.stat().st_size for each in heard)


def test_an_unreadable_file_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text('lastName\nA\n"B\n')
    with pytest.raises(BadFile, match="line 3, column 1"):
        scan(path)


def test_faults_reported_by_the_service_replace_those_found_here(file: Path) -> None:
    doctor = scan(file)
    entry = {"csvSource": "Ann;Miller;FRA;ann@acme.example", "errors": [{"param": "eMail", "msg": "is taken"}]}
    doctor.apply_report({1: entry}, whole=True)
    assert [(each.number, [fault.msg for fault in each.faults]) for each in doctor.rows] == [
        (1, ["is taken"]),
        (2, []),
        (3, []),
        (4, []),
    ]
    doctor.edit(1, "eMail", "anna@acme.example")
    doctor.save(file.with_name("saved.csv"))
    assert "Ann;Miller;FRA;anna@acme.example\r\n" in file.with_name("saved.csv").read_bytes().decode()


def test_rows_that_are_not_in_the_report_keep_the_faults_found_here(file: Path) -> None:
    doctor = scan(file)
    doctor.apply_report({2: {"errors": [{"param": "country", "msg": "is unknown"}]}}, whole=False)
    assert doctor.left == 3 and doctor.row(2).faults[0].msg == "is unknown"
    assert doctor.row(2).faults[0].rule == "country"


def test_rows_are_saved_by_their_numbers(file: Path, tmp_path: Path) -> None:
    doctor = scan(file)
    assert doctor.save_faulty(tmp_path / "some.csv", {2}) == 1
    assert scan(tmp_path / "some.csv").total == 1


def test_a_file_with_a_wrong_header_and_a_broken_quote_is_read_and_saved_with_its_corrections(
    tmp_path: Path,
) -> None:
    path = tmp_path / "odd.csv"
    path.write_bytes(b'Surname;country % names\r\nMiller;PT\r\n"Zola;FRA\r\nSmith;FRA\r\n')
    doctor = scan(path, corrected={1: "lastName;country", 3: '"""Zola";FRA'})
    assert doctor.differs and not doctor.corrected
    doctor.edit(1, "country", "PRT")
    assert doctor.save(tmp_path / "out.csv") == 3
    assert (tmp_path / "out.csv").read_bytes() == (b'lastName;country\r\nMiller;PRT\r\n"""Zola";FRA\r\nSmith;FRA\r\n')
    assert path.read_bytes().startswith(b"Surname;")


def test_suggestions_are_applied_to_equal_cells_or_everywhere(file: Path) -> None:
    file.write_text("lastName;country;city\nA;PT;x\nB;PT;y\nC;Spain;z\nD;Nowhere;z\nE;FRA;PT\n")
    doctor = scan(file)
    assert doctor.has_suggestions
    assert doctor.apply_suggestions(4, "country") == []
    assert doctor.apply_suggestions(1, "country") == [1, 2]
    assert [each.cells[1] for each in doctor.rows] == ["PRT", "PRT", "Spain", "Nowhere"]
    assert doctor.apply_suggestions() == [3]
    assert (doctor.row(3).cells[1], doctor.left, doctor.has_suggestions) == ("ESP", 1, False)


def test_faults_of_a_report_have_the_suggestions_known_here() -> None:
    report = {"entry7": {"csvSource": "A;PT", "errorDetails": [{"param": "country", "msg": "is wrong", "value": "PT"}]}}
    doctor = doctor_of_report("lastName;country", report, synchronizing=False, country="")
    assert doctor.apply_suggestions(7, "country") == [7]
