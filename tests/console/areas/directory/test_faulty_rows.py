"""The rows of the doctor: wrong cells are marked, faults are found one after the other, whatever there is of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.console.areas.directory.doctor_actions import by_number
from svc_tui.console.areas.directory.faulty_rows import FaultyRows, columns_of, faults_of, next_fault
from svc_tui.console.widgets.list.columns import lay_out
from svc_tui.workspace.directory.doctor import Doctor, scan

TEXT = (
    "firstName;lastName;workPhoneNumber0;country\n"
    "Ann;Miller;+351213456789;FRA\n"
    "Bob;Smith;213456789;PT\n"
    "Cid;Zola;213456789\n"
    ";;+351213456789;PRT\n"
)


@pytest.fixture
def doctor(tmp_path: Path) -> Doctor:
    path = tmp_path / "a.csv"
    path.write_text(TEXT)
    return scan(path)


def _drawn(doctor: Doctor, rows: FaultyRows, index: int, *, unicode: bool = True) -> list[tuple[str, str]]:
    row = rows.row(index)
    assert row is not None
    return [(drawn.text, style) for drawn, style in (column.text(row, unicode) for column in columns_of(doctor))]


def test_wrong_cells_have_a_mark_and_not_only_a_colour(doctor: Doctor) -> None:
    rows = FaultyRows(doctor)
    assert _drawn(doctor, rows, 0) == [
        ("2  ", ""),
        ("Bob", ""),
        ("Smith", ""),
        ("✗ 213456789", "bad"),
        ("✗ PT", "bad"),
    ]
    assert _drawn(doctor, rows, 0, unicode=False)[4] == ("x PT", "bad")


def test_a_row_with_another_number_of_values_is_marked_as_a_whole(doctor: Doctor) -> None:
    assert _drawn(doctor, FaultyRows(doctor), 1)[0] == ("3 ✗", "bad")


def test_a_corrected_row_is_marked_and_drawn_again(doctor: Doctor) -> None:
    rows = FaultyRows(doctor)
    heard: list[object] = []
    rows.subscribe(lambda change: heard.append(change.rows))
    before = rows.row(0)
    doctor.edit(2, "country", "PRT")
    rows.changed([2])
    assert heard == [frozenset({0})] and rows.row(0) is not before
    assert _drawn(doctor, rows, 0) == [
        ("2 ✓", "ok"),
        ("Bob", ""),
        ("Smith", ""),
        ("213456789", ""),
        ("PRT", "accent"),
    ]


def test_only_rows_of_one_kind_are_picked(doctor: Doctor) -> None:
    rows = FaultyRows(doctor)
    rows.pick(("country", "country"))
    assert rows.total == 1 and rows.index_of("2") == 0 and rows.index_of("3") is None
    rows.pick(None)
    assert rows.total == 3


def test_the_country_comes_before_the_number_that_is_read_with_it(doctor: Doctor) -> None:
    assert faults_of(doctor.row(2), doctor.header) == ["country", "workPhoneNumber0"]


def test_every_fault_is_reached_in_both_directions(doctor: Doctor) -> None:
    rows = FaultyRows(doctor)
    expected = [(0, "country"), (0, "workPhoneNumber0"), (1, ""), (2, "firstName")]
    for path, by in ((expected, 1), (expected[::-1], -1)):
        at, found = path[0], [path[0]]
        while (following := next_fault(rows, *at, by)) is not None:
            at = following
            found.append(at)
        assert found == path


def test_from_a_cell_that_is_right_the_next_fault_is_one_of_its_row(doctor: Doctor) -> None:
    rows = FaultyRows(doctor)
    assert next_fault(rows, 0, "lastName", 1) == (0, "country")


def test_corrected_rows_are_skipped(doctor: Doctor) -> None:
    rows = FaultyRows(doctor)
    doctor.retype(3, "Cid;Zola;;PRT")
    assert next_fault(rows, 0, "workPhoneNumber0", 1) == (2, "firstName")


def test_on_a_narrow_terminal_columns_without_a_fault_go_first(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    header = ["lastName", *(f"workPhoneNumber{n}" for n in range(10)), "street", "city", "country"]
    path.write_text(";".join(header) + "\n" + "Miller" + ";" * (len(header) - 1) + "PT\n")
    doctor = scan(path)
    kept = [place.column.field for place in lay_out(columns_of(doctor), 60)]
    assert kept[:2] == ["number", "lastName"] and kept[-1] == "country" and len(kept) < 6


def test_where_there_is_room_for_the_longest_cells_none_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "email.csv"
    path.write_text("firstName;lastName;eMail;country\n" + f"Ann;Miller;{'a' * 20}@b.example;PT\n")
    widths = {place.column.field: place.width for place in lay_out(columns_of(scan(path)), 70)}
    assert widths == {"number": 5, "firstName": 9, "lastName": 8, "eMail": 32, "country": 8}


def test_thousands_of_faults_cost_only_the_rows_that_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("lastName;country\n" + "Miller;PT\n" * 5_000)
    doctor = scan(path)
    rows = FaultyRows(doctor)
    rows.row(4_999)
    assert len(rows._drawn) == 1 and rows.index_of("5000") == 4_999


def test_a_check_is_read_by_the_numbers_of_its_rows() -> None:
    report = {"entry2": {"errors": []}, "entry9": {"errors": []}, "total": {}, "entry1": "garbled"}
    assert list(by_number(report)) == [2, 9]


def test_a_doubtful_cell_has_a_mark_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "doubtful.csv"
    path.write_text("lastName;workPhoneNumber0;country\nKlein;30123456;DEU\n")
    doctor = scan(path)
    assert _drawn(doctor, FaultyRows(doctor), 0)[2] == ("? 30123456", "warn")
