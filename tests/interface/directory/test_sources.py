"""Contact files become rows of the service, or rows with a fault that names the place."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pytest

from docs.making import countries
from svc_tui.interface.companies.countries import TABLE, country_of
from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.mapping import ColumnMapping
from svc_tui.interface.directory.csv.reading import CsvRow
from svc_tui.interface.directory.csv.sources import source_format, source_rows


def read(data: bytes | str, **options: object) -> tuple[ColumnMapping | None, list[CsvRow], list[dict[str, str]]]:
    """The mapping of a file, its rows, and the values of each by column."""
    file = io.BytesIO(data.encode() if isinstance(data, str) else data)
    csv_format = source_format(file, **options)  # type: ignore[arg-type]
    columns, _source, found = source_rows(file, csv_format)
    rows = list(found)
    values = [{column.name: cell for column, cell in zip(columns, row.cells, strict=False) if cell} for row in rows]
    return csv_format.mapping, rows, values


def values(data: bytes | str, **options: object) -> list[dict[str, str]]:
    return read(data, **options)[2]


ANA = {"firstName": "Ana", "lastName": "Silva"}


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\r\nfirstName;lastName\r\nAna;Silva\r\n",
        '"sep=,"\nfirstName,lastName\nAna,Silva\n',
        "SEP=\t\nfirstName\tlastName\nAna\tSilva\n",
        "\ufeff\ufefffirstName;lastName\nAna;Silva\n",
        "\ufeffsep=;\nfirstName;lastName\nAna;Silva\n",
        '#TYPE System.Management.Automation.PSCustomObject\n"firstName","lastName"\n"Ana","Silva"\n',
        "firstName;lastName\rAna;Silva\r",
        "firstName,lastName,\nAna,Silva,\n",
        "firstName,lastName,\nAna,Silva\n",
        "firstName,lastName\nAna,Silva,\n",
        "firstName,lastName,,\nAna,Silva,,\n",
        'firstName;lastName\n="Ana";="Silva"\n',
        'firstName;lastName\n"=""Ana""";"=""Silva"""\n',
        "% part of a list\nfirstName;lastName\n  % more\nAna;Silva\n",
        "firstName;lastName\nA\u200bna;Sil\ufe0fva\u00ad\n",
        "First\u200bName;lastName\nx;y\n".replace("First\u200bName", "first\u200bName").replace("x;y", "Ana;Silva"),
        "firstName|lastName\nAna|Silva\n",
        "firstName;;lastName\nAna;;Silva\n",
    ],
)
def test_dialects_of_programs_are_read(text: str) -> None:
    assert values(text) == [ANA]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "cp1252"])
def test_dialects_are_read_in_any_encoding(encoding: str) -> None:
    assert values("sep=,\nfirstName,lastName\nZoé,Müller\n".encode(encoding)) == [
        {"firstName": "Zoé", "lastName": "Müller"}
    ]


def test_a_comment_begins_only_at_the_start_of_a_line() -> None:
    assert values("lastName;custom1\nMeier;80% Pensum\n%x;y\n") == [{"lastName": "Meier", "custom1": "80% Pensum"}]


def test_a_spreadsheet_value_may_contain_delimiters_and_quotes() -> None:
    assert values('lastName;custom1\n="A;B";="say ""yes"""\n') == [{"lastName": "A;B", "custom1": 'say "yes"'}]


def test_values_behind_the_last_column_are_dropped_only_if_all_rows_have_one() -> None:
    _mapping, rows, _values = read("firstName,lastName\nAna,Silva,\nBob,Lee\n")
    assert Checker(()).check(rows[0].cells) and len(rows[0].cells) == 3
    _mapping, rows, _values = read("firstName,lastName,\nAna,Silva,\nBob,Lee,\nAcme, Inc,Eve\n")
    assert [len(row.faults) for row in rows] == [0, 0, 1]
    assert len(rows) == 3
    with pytest.raises(BadFile, match="column 3 has no name"):
        read("firstName,lastName,\nAna,Silva,x\n")


def test_a_foreign_byte_is_a_fault_of_its_row_and_names_its_place() -> None:
    data = "firstName;lastName\nZoë;Müller\n".encode() + b"Jos\xe9;Silva\nAna;Silva\n"
    _mapping, rows, found = read(data)
    assert [len(row.faults) for row in rows] == [0, 1, 0]
    assert (rows[1].faults[0].column, rows[1].faults[0].value) == ("firstName", "Jos\ufffd")
    assert rows[1].faults[0].msg == "contains the byte 0xE9, which is not UTF-8 (line 3, column 4)"
    assert found[0]["lastName"] == "Müller" and found[2] == ANA


def test_a_value_over_lines_with_delimiters_is_doubtful() -> None:
    _mapping, rows, _values = read('lastName;custom1;city\nA;"x\ny";P\nB;"x\nC;y;Q\n";R\n')
    assert [[fault.doubtful for fault in row.faults] for row in rows] == [[], [True]]
    assert rows[1].faults[0].column == "custom1" and rows[1].faults[0].suggestion == "x C;y;Q"


def test_a_name_of_invisible_signs_is_missing_and_joiners_of_persian_stay() -> None:
    found = values("firstName;city\n\u200b\u2060;Porto\nنمی\u200cدانم;\n")
    assert found[0] == {"city": "Porto"} and found[1]["firstName"] == "نمی\u200cدانم"


# --- columns -----------------------------------------------------------------------------------------------------


def test_unknown_headings_are_not_mapped() -> None:
    with pytest.raises(BadFile, match=r"Surname is not a column \(did you mean lastName"):
        read("Surname;Phone;Department\nA;1;B\n")
    with pytest.raises(BadFile, match="lastname is not a column"):
        read("lastname;country\nA;DEU\n")


def mapped(text: str, mapping: Mapping[str, str]) -> list[dict[str, str]]:
    return values(text, mapping=mapping)


def test_a_mapping_of_a_user_fills_joins_and_leaves_out() -> None:
    text = "Name,Street,No,Tel 1,Tel 2,Handy,Remark,custom2\nSilva,Rua,5,1,2,3,x,y\n"
    mapping = {
        "Name": "lastName", "street": "street", "No": "street", "Tel 1": "workPhoneNumber", "Tel 2": "workPhoneNumber",
        "Handy": "mobilePhoneNumber0", "Remark": "",
    }  # fmt: skip
    assert mapped(text, mapping) == [
        {
            "lastName": "Silva", "street": "Rua 5", "workPhoneNumber0": "1", "workPhoneNumber1": "2",
            "mobilePhoneNumber0": "3", "custom2": "y",
        }
    ]  # fmt: skip
    assert mapped(text, {"Name": "lastName", "*": ""}) == [{"lastName": "Silva"}]


def test_numbers_of_a_mapping_are_in_the_order_that_it_names() -> None:
    text = "A,B,C\nx,1,2\n"
    assert mapped(text, {"A": "lastName", "B": "workPhoneNumber1", "C": "workPhoneNumber0"}) == [
        {"lastName": "x", "workPhoneNumber0": "2", "workPhoneNumber1": "1"}
    ]


def test_a_mapping_changes_a_part_of_what_is_recognised() -> None:
    text = "First Name,Last Name,Business Phone,Notes\nAna,Silva,1,x\n"
    assert mapped(text, {"Notes": "custom1", "Business Phone": "otherPhoneNumber"}) == [
        {**ANA, "otherPhoneNumber0": "1", "custom1": "x"}
    ]


def test_a_row_with_another_number_of_values_is_a_fault() -> None:
    text = "First Name,Last Name,Business Phone\nAna,Silva\nBob,Lee,1,2\n"
    _mapping, rows, _values = read(text)
    assert [row.faults[0].msg for row in rows] == [
        "has 2 values, but the file has 3 columns",
        "has 4 values, but the file has 3 columns",
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("France", "FRA"), ("fra", "FRA"), ("FR", "FRA"), ("Frankreich", "FRA"), ("Alemania", "DEU"),
        ("Alemanha", "DEU"),
        ("Allemagne", "DEU"), ("United States of America", "USA"), ("U.S.A.", "USA"), ("États-Unis", "USA"),
        ("Vereinigtes Königreich", "GBR"), ("Países Bajos", "NLD"), ("Pays-Bas", "NLD"), ("Tschechien", "CZE"),
        ("Côte d’Ivoire", "CIV"), ("Atlantis", ""), ("", ""),
    ],
)  # fmt: skip
def test_countries_have_names_and_codes_in_five_languages(text: str, code: str) -> None:
    assert country_of(text) == code


def test_the_names_of_countries_are_generated() -> None:
    assert TABLE.read_text("utf-8") == countries.text(), "run `python -m docs.making.countries`"
