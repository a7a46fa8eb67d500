"""Exports of programs: names, company, job, address, e-mail and all numbers arrive, without a question.

The files are of our own making, with the quirks that public documents and reports describe; the names are invented.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from svc_tui.workspace.directory.contact_files import contact_rows, mapping_lines
from svc_tui.workspace.directory.conversion import convert
from svc_tui.workspace.directory.doctor import scan

EXPORTS = Path(__file__).with_name("exports")
#: The encodings of files that are UTF-8 in the repository.
ENCODINGS = {
    "outlook-english.csv": "cp1252",
    "outlook-german.csv": "cp1252",
    "outlook-portuguese.csv": "cp1252",
    "google-old.csv": "utf-16",
}
#: File -> the program, and the entries with the fields that have values: lists of numbers as work / mobile / other.
EXPECTED: dict[str, tuple[str, list[str]]] = {
    "outlook-english.csv": (
        "Outlook / Microsoft 365",
        [
            "Chloé|Dubois|Acme|Buyer|Sales|+33142685300,+33142685301,+33142685399|+33612345678|+33142685309"
            "|chloe@example.org|1 rue de la Paix 2e étage|Paris|75002||FRA",
            "Jon R.|Berg||||||+12025550143|jon@example.org|5 Main Street|Springfield|||USA",
            "||Lieferdienst GmbH|||+4930123456||||||||DEU",
        ],
    ),
    "outlook-german.csv": (
        "Outlook / Microsoft 365 (German)",
        [
            "Jürgen|Müßig|Straßenbau AG|Leiter|Einkauf|+4989123456|+491711234567|+498912345699"
            "|juergen@example.org|Hauptstraße 5 Hof|München|80331||DEU"
        ],
    ),
    "outlook-french.csv": (
        "Outlook / Microsoft 365 (French)",
        [
            "André|Lefèvre|Boulangerie|Directeur|Achats|+3242234567|+32470123456|"
            "|andre@example.org|3 place d'Armes|Liège|4000||BEL"
        ],
    ),
    "outlook-spanish.csv": (
        "Outlook / Microsoft 365 (Spanish)",
        [
            "Begoña|Ibáñez|Viñedos|Jefa|Ventas|+34941234567|+34612345678|"
            "|begona@example.org|Calle Mayor 1|Logroño|26001||ESP"
        ],
    ),
    "outlook-portuguese.csv": (
        "Outlook / Microsoft 365 (Portuguese)",
        [
            "João|Gonçalves|Cortiças|Gestor|Compras|+351213456789,+351213456780|+351912345678|"
            "|joao@example.org|Rua do Ouro 7|Lisboa|1100-060||PRT"
        ],
    ),
    "microsoft-365-users.csv": (
        "Outlook / Microsoft 365",
        ["Ann|Lee||Buyer|Sales|+12025550144|+12025550143||ann@example.org|5 Main Street|Seattle|98101|WA|USA"],
    ),
    "google-old.csv": (
        "Google Contacts",
        [
            "Ana|Silva|Acme|Buyer|Purchasing|+351213456789|+351912345678,+351912345679|+351213456780"
            "|ana@example.org|Rua A|Porto|4000-001||PRT"
        ],
    ),
    "google-new.csv": (
        "Google Contacts",
        [
            "Zoë|Müller|Acme|||+4930123456|+491711234567||zoe@example.org|Hauptstr. 5|Berlin|10115||DEU",
            "||Lieferdienst|||||+4930123457||||||",
        ],
    ),
    "active-directory.csv": (
        "Active Directory",
        [
            "Änne|Hofer|Acme|Leiterin|Vertrieb|+4315123456|+436641234567|"
            "|aenne@example.org|Ring 1 Stiege 2|Wien|1010||AUT",
            "|Empfang, Berlin||||+4930123456||||||||DEU",
        ],
    ),
    "csvde.csv": (
        "Active Directory",
        [
            "Ana|Silva|Acme|Buyer||+33142685300,+33142685301,+33142685302|+33612345678||ana@example.org||Lütècie|||FRA",
        ],
    ),
    "entra.csv": (
        "Entra",
        [
            "Ann|Lee|Acme|Buyer|Sales|+12025550144|+12025550143||ann.lee@example.org"
            "|5 Main Street|Seattle|98101|WA|USA",
            "|Scanner|||||||scanner@example.org|||||",
        ],
    ),
    "thunderbird.csv": (
        "Thunderbird",
        [
            "Rory|Williams|Hospital|Nurse|Ward|+442079460000|+447700900123||rory@example.org"
            "|12 Lane Flat B|Leadworth|GL1 2AB||GBR"
        ],
    ),
    "thunderbird-german.csv": (
        "Thunderbird (German)",
        ["Änne|Groß|Acme|Leiterin|Einkauf|+4930123456|||aenne@example.org|Ring 1|Köln|50667||DEU"],
    ),
    "phone-2.1.vcf": (
        "vCard",
        [
            "Zoë|Müller|Acme||Sales|+33142685300|+33612345678|+33142685309"
            "|zoe@example.org|1 rue de la Paix 2e|Paris|75002||FRA",
            "José|Nuñez|||||+34612345678|||||||",
        ],
    ),
    "apple-3.0.vcf": (
        "vCard",
        [
            "Ana|Silva|Acme, Inc.|Buyer||+351213456789|+351912345678||ana@example.org|Rua B 6|Lisboa|1000-001||PRT",
            "||Acme Support|||+4930123456||||||||",
        ],
    ),
    "contacts-4.0.vcf": (
        "vCard",
        [
            "Jon|Berg||||+12025550143|+12025550144||jon@example.org|5 Main Street|Washington|20001|DC|USA",
        ],
    ),
}
FIELDS = (
    "firstName", "lastName", "companyName", "jobTitle", "department", "workPhoneNumbers", "mobilePhoneNumbers",
    "otherPhoneNumbers", "eMail", "street", "city", "postalCode", "state", "country",
)  # fmt: skip


def _line(entry: dict[str, object]) -> str:
    values = [entry.get(field) or "" for field in FIELDS]
    return "|".join(",".join(value) if isinstance(value, list) else str(value) for value in values)


@pytest.fixture
def export(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An export in its own encoding."""
    path = tmp_path / str(request.param)
    data = (EXPORTS / path.name).read_bytes()
    path.write_bytes(data.decode().encode(ENCODINGS[path.name]) if path.name in ENCODINGS else data)
    return path


@pytest.mark.parametrize("export", EXPECTED, indirect=True)
def test_an_export_arrives_whole(export: Path) -> None:
    program, entries = EXPECTED[export.name]
    doctor = scan(export)
    assert not doctor.rows, [(row.number, row.faults) for row in doctor.rows]
    mapping = doctor.csv_format.mapping
    assert mapping is not None and mapping.program == program
    with export.open("rb") as file:
        rows = list(contact_rows(file, doctor.csv_format)[2])
    assert [_line(doctor.checker.entry(row.cells)) for row in rows] == entries


@pytest.mark.parametrize("export", EXPECTED, indirect=True)
def test_a_converted_export_is_a_file_of_the_service(export: Path, tmp_path: Path) -> None:
    converted = tmp_path / "converted.csv"
    with converted.open("wb") as out:
        written = convert(scan(export), out)
    again = scan(converted)
    assert (again.total, again.left, again.csv_format.mapping) == (written.count, 0, None)
    entries = EXPECTED[export.name][1]
    with converted.open("rb") as file:
        rows = list(contact_rows(file, again.csv_format)[2])
    assert [_line(again.checker.entry(row.cells)) for row in rows] == entries


def test_every_program_has_an_export() -> None:
    assert {path.name for path in EXPORTS.iterdir()} == set(EXPECTED)


def test_what_was_mapped_and_left_out_is_described() -> None:
    taken, state, left = mapping_lines(scan(EXPORTS / "google-new.csv").csv_format.mapping)
    assert taken.startswith(
        "Columns of Google Contacts: First Name, Middle Name → firstName; Last Name, File As → lastName;"
    )
    assert "Phone 1 - Value, Phone 2 - Value → work, mobile or other number by its label" in taken
    assert state == "A state is taken only in the USA and in Canada."
    assert left.startswith("Left out: Phonetic First Name, ") and "Phone 1 - Label" not in left


def _cards(tmp_path: Path, text: str | bytes) -> list[tuple[int, str]]:
    path = tmp_path / "cards.vcf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [(row.row.line, row.faults[0].msg) for row in scan(path).rows]


def test_a_card_that_cannot_be_read_is_a_fault_of_its_row(tmp_path: Path) -> None:
    right = "BEGIN:VCARD\nVERSION:3.0\nN:Silva;Ana;;;\nEND:VCARD\n"
    assert _cards(tmp_path, f"{right}BEGIN:VCARD\nVERSION:3.0\nnonsense\nEND:VCARD\n{right}") == [
        (5, "is no vCard that can be read: At line 3: Failed to parse line: nonsense")
    ]
    assert _cards(tmp_path, f"{right}BEGIN:VCARD\nVERSION:3.0\nFN:Open\n") == [
        (5, "is no vCard that can be read: it has no end")
    ]
    foreign = (
        f"{right}BEGIN:VCARD\nN:Z".encode()
        + b"\xebn;M\xfcller\nEND:VCARD\n"
        + "BEGIN:VCARD\nFN:ëüé\nEND:VCARD\n".encode()
    )
    assert _cards(tmp_path, foreign) == [(5, "contains the byte 0xEB, which is not UTF-8 (line 6, column 4)")]


def test_converted_values_with_a_comment_sign_are_quoted(tmp_path: Path) -> None:
    path = tmp_path / "percent.csv"
    path.write_text("lastName,custom1\nMeier,80% Pensum\n", encoding="utf-8")
    out = io.BytesIO()
    convert(scan(path), out)
    assert out.getvalue() == b'lastName;custom1\n"Meier";"80% Pensum"\n'
