"""Written rows are read back unchanged."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.directory.csv.reading import CsvFormat, format_of, record_of, rows
from svc_tui.interface.directory.csv.writing import line, written

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(
    st.lists(_TEXT, min_size=2, max_size=5).filter(any),
    st.sampled_from([";", ",", "\t"]),
    st.sampled_from(["%", "#", ""]),
)
def test_any_row_is_read_back(cells: list[str], delimiter: str, comment: str) -> None:
    assert record_of(line(cells, delimiter, comment), CsvFormat("utf-8", delimiter, comment)) == cells


def test_entries_are_written_with_the_columns_that_they_use() -> None:
    entries = [
        {"lastName": "Miller", "tags": ["vip", "50%"], "workPhoneNumbers": ["+33123456789"]},
        {"lastName": "Zola", "ldap_id": "7", "tags": ["lyon"], "id": "not a column"},
    ]
    text = written(entries)
    columns, _, found = rows(file := io.BytesIO(text.encode()), format_of(file))
    assert [column.name for column in columns] == [
        "__action__",
        "ldap_id",
        "lastName",
        "workPhoneNumber0",
        "tag0",
        "tag1",
    ]
    assert [row.cells for row in found] == [
        ["sync", "", "Miller", "+33123456789", "vip", "50%"],
        ["sync", "7", "Zola", "", "lyon", ""],
    ]
