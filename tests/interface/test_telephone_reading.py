"""Each rule by which a telephone number is read, in several countries: right, doubtful or a fault, never a guess."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import phonenumbers
import pytest

from svc_tui.interface.companies.countries import COUNTRIES, region_of
from svc_tui.interface.telephone_numbers import Reading, e164, read_number, read_numbers, search_parts, written
from tests.support.databases import demo

#: Country -> a number in national notation and in E.164.
NUMBERS = {
    "DEU": ("030 12345678", "+493012345678"),
    "FRA": ("01 42 68 53 00", "+33142685300"),
    "GBR": ("020 7946 0018", "+442079460018"),
    "ITA": ("06 1234 5678", "+390612345678"),
    "USA": ("202-555-0143", "+12025550143"),
    "POL": ("22 123 45 67", "+48221234567"),
    "PRT": ("213 456 700", "+351213456700"),
    "SWE": ("070-123 45 67", "+46701234567"),
}
HOME = [(country, national, number) for country, (national, number) in NUMBERS.items()]


def read(text: str, country: str) -> tuple[str, str]:
    """The outcome, and the number or the suggestion."""
    found = read_number(text, country)
    assert bool(found.number) == (found.outcome == "right")
    assert bool(found.reason) == (found.outcome != "right")
    return found.outcome, found.number or found.suggestion


# --- cleaning ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("country", "national", "number"), HOME)
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        " \t{}\xa0",
        "tel:{}",
        "TEL:{}",
        "'{}",
        "’{}",
        '="{}"',
        '= "{}"',
        "\u200e{}\u200f",
        "\ufeff{}\u200b",
        "{}\ufe0f",
        "\u202a{}\u202c",
    ],
)
def test_what_programs_write_around_a_number_is_understood(form: str, country: str, national: str, number: str) -> None:
    assert read(form.format(national), country) == ("right", number)
    assert read(form.format(number), "NOR") == ("right", number)


@pytest.mark.parametrize(("country", "national", "number"), HOME)
@pytest.mark.parametrize(
    "between", [" ", "\u202f", "\u2009", "\u3000", "\xa0", "\u2007", "-", "\u2011", "\u2013", ".", "\xad", "\u2060"]
)
def test_every_space_and_dash_separates_digits(between: str, country: str, national: str, number: str) -> None:
    assert read(between.join("".join(national.replace("-", " ").split())), country) == ("right", number)


@pytest.mark.parametrize(("country", "national", "number"), HOME)
@pytest.mark.parametrize("zero", ["０", "٠", "०", "𝟎"])
def test_digits_of_all_scripts_are_digits(zero: str, country: str, national: str, number: str) -> None:
    text = "".join(chr(ord(zero) + int(sign)) if sign.isdigit() else sign for sign in national)
    assert read(text, country) == ("right", number)


@pytest.mark.parametrize(("country", "national", "number"), HOME)
def test_a_country_code_has_a_plus_sign_brackets_or_two_zeros(country: str, national: str, number: str) -> None:
    code = phonenumbers.country_code_for_region(str(region_of(country)))
    rest = number.removeprefix(f"+{code}")
    for text in (f"+{code} {rest}", f"(+{code}) {rest}", f"00{code} {rest}", f"(00{code}) {rest}", f"＋{code}{rest}"):
        for reader in (country, "NOR", "USA", "JPN"):
            assert read(text, reader) == ("right", number), (text, reader)
        assert read_number(text).number == number


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("15112345678.0", "DEU", "+4915112345678"),
        ("15112345678,0", "DEU", "+4915112345678"),
        ("46701234567.0", "SWE", "+46701234567"),
        ("142685300.0", "FRA", "+33142685300"),
        ("2079460018.0", "GBR", "+442079460018"),
        ("213456700.0", "PRT", "+351213456700"),
    ],
)
def test_a_zero_that_a_spreadsheet_added_is_no_digit(text: str, country: str, number: str) -> None:
    assert read(text, country) == ("right", number)


@pytest.mark.parametrize(("country", "national", "number"), HOME)
def test_decimals_and_brackets_at_the_end_are_doubtful(country: str, national: str, number: str) -> None:
    digits = number.removeprefix("+")
    assert read(f"+{digits}.00", country) == ("doubtful", number)
    assert read(f"{national} (12)", country) == ("doubtful", number)


@pytest.mark.parametrize("country", NUMBERS)
@pytest.mark.parametrize("text", ["4.479E+11", "4,91712E+12", "3.3142685E10", "4.9171234567E+12", "4.479 x 10^11"])
def test_a_rounded_number_names_the_spreadsheet(text: str, country: str) -> None:
    found = read_number(text, country)
    assert found.outcome == "fault" and "spreadsheet" in found.reason and not found.suggestion


# --- letters, extensions, dates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("country", "national", "number"), HOME)
@pytest.mark.parametrize("form", ["{} privat", "privat {}", "Privat: {}", "{} (privat)", "{}, privat"])
def test_words_beside_a_number_are_no_digits(form: str, country: str, national: str, number: str) -> None:
    found = read_number(form.format(national), country)
    assert found.outcome == "fault" and "the words: " in found.reason and "rivat" in found.reason
    assert found.suggestion == number


@pytest.mark.parametrize("country", NUMBERS)
@pytest.mark.parametrize(
    "text", ["061234dgfs", "1-800-FLOWERS", "desk", "０６１２ａｂｃ", "030 12 a 34", "Ⅷ 123", "nur abends"]
)
def test_letters_are_never_digits(text: str, country: str) -> None:
    found = read_number(text, country)
    assert found.outcome == "fault" and "contains the words: " in found.reason and not found.suggestion


@pytest.mark.parametrize("country", NUMBERS)
@pytest.mark.parametrize("text", ["030 123456²", "①②③④⑤⑥⑦⑧⑨", "+33 1 42 68 53 0½", "*31#0301234567", "030:123456"])
def test_signs_that_look_like_digits_are_none(text: str, country: str) -> None:
    assert read_number(text, country).outcome == "fault"


@pytest.mark.parametrize(("country", "national", "number"), HOME)
@pytest.mark.parametrize(
    "extension",
    [
        "x123",
        " x 123",
        " ext. 12",
        " ext 12",
        ";ext=12",
        " poste 123",
        " Dw 12",
        " DW12",
        "#12",
        " # 12",
        ",,12",
        ",12",
        " (ext 7)",
        " Durchwahl 5",
        " app. 4",
    ],
)
def test_an_extension_is_a_fault_with_the_number_before_it(
    extension: str, country: str, national: str, number: str
) -> None:
    found = read_number(national + extension, country)
    assert (found.outcome, found.suggestion) == ("fault", number)
    assert "extension" in found.reason


@pytest.mark.parametrize("country", [*NUMBERS, "DNK", "NOR", "SGP", "ISL"])
@pytest.mark.parametrize(
    "text",
    [
        "2026-11-27",
        "27.11.2026",
        "11/27/2026",
        "27/11/2026",
        "27.11.26",
        "2026/11/27",
        "27. 11. 2026",
        "27 11 2026",
        "11/2026",
        "2026-11-27 10:30",
        "27.11.2026 10:30:00",
        "2026-11-27T10:30:00Z",
        "1.2.1999",
    ],
)
def test_a_date_is_no_number(text: str, country: str) -> None:
    found = read_number(text, country)
    assert found.outcome == "fault" and "date" in found.reason


def test_the_notation_of_new_caledonia_is_no_date() -> None:
    assert read("20.12.34", "NCL") == ("right", "+687201234")


# --- the zero in brackets, a lost plus sign, national numbers ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("+39 (0)6 12345678", "ITA", "+390612345678"),
        ("+378 (0)549 886377", "SMR", "+3780549886377"),
        ("+242 (0)6 612 3456", "COG", "+242066123456"),
        ("+33 (0)1 42 68 53 00", "FRA", "+33142685300"),
        ("+49 (0)30 12345678", "DEU", "+493012345678"),
        ("+48 (0)22 123 45 67", "POL", "+48221234567"),
        ("+36 (0)1 234 5678", "HUN", "+3612345678"),
        ("0049 ( 0 ) 30 / 12345678", "ITA", "+493012345678"),
        ("(0)30 12345678", "DEU", "+493012345678"),
        ("+44 [0] 20 7946 0018", "DEU", "+442079460018"),
    ],
)
def test_a_zero_in_brackets_counts_where_its_country_needs_it(text: str, country: str, number: str) -> None:
    for reader in (country, "USA") if text.startswith("+") else (country,):
        assert read(text, reader) == ("right", number)


@pytest.mark.parametrize(
    "text", ["+39 (0)340 12345", "+33 (0)1 42 68 53", "+49 (0)1 2345", "+351 (0)1 234 567", "+44 (0)99 12345678"]
)
def test_a_zero_in_brackets_that_fits_neither_way_is_not_right(text: str) -> None:
    assert read_number(text).outcome != "right"


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("33612345678", "FRA", "+33612345678"),
        ("46701234567", "SWE", "+46701234567"),
        ("447911123456", "GBR", "+447911123456"),
        ("351213456700", "PRT", "+351213456700"),
        ("390612345678", "FRA", "+390612345678"),
        ("48221234567", "POL", "+48221234567"),
        ("33 6 12 34 56 78", "PRT", "+33612345678"),
    ],
)
def test_a_lost_plus_sign_is_found_where_only_that_reading_is_valid(text: str, country: str, number: str) -> None:
    assert read(text, country) == ("right", number)


@pytest.mark.parametrize(
    ("text", "country", "suggestion"),
    [
        ("4917112345678", "DEU", "+4917112345678"),
        ("2015550123", "USA", "+12015550123"),
        ("4312345678", "CAN", "+14312345678"),
        ("13123456789", "CHN", "+8613123456789"),
        ("3211234567", "COL", "+573211234567"),
    ],
)
def test_digits_that_are_valid_either_way_are_doubtful(text: str, country: str, suggestion: str) -> None:
    assert read(text, country) == ("doubtful", suggestion)
    with pytest.raises(ValueError, match="can be"):
        e164(text, country)


def test_the_groups_of_the_national_notation_decide() -> None:
    assert read("(201) 555-0123", "USA") == read("201-555-0123", "USA") == ("right", "+12015550123")


@pytest.mark.parametrize("country", NUMBERS)
@pytest.mark.parametrize("text", ["1001", "12", "4711", "80123", "112"])
def test_an_internal_number_is_none_of_the_public_network(text: str, country: str) -> None:
    found = read_number(text, country)
    assert found.outcome == "fault" and "internal" in found.reason


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("0000000000", "FRA"),
        ("01234", "GBR"),
        ("0000000", "DEU"),
        ("555-0143", "USA"),
        ("000000000", "PRT"),
        ("99 999 99 99", "SWE"),
    ],
)
def test_national_notation_must_be_valid(text: str, country: str) -> None:
    assert read_number(text, country).outcome == "fault"


@pytest.mark.parametrize("number", ["+492012", "+33999999999", "+441234567", "+12125", "+3519999999"])
def test_with_a_plus_sign_a_possible_length_is_enough(number: str) -> None:
    parsed = phonenumbers.parse(number)
    assert (read_number(number).outcome == "right") == phonenumbers.is_possible_number(parsed)


@pytest.mark.parametrize(
    ("text", "country", "suggestion"),
    [
        ("30123456", "DEU", "+4930123456"),
        ("8 123 456", "SWE", "+468123456"),
        ("2 234 56 78", "BEL", "+3222345678"),
        ("1 234567", "AUT", "+431234567"),
        ("93456789", "NZL", "+6493456789"),
        ("9 1234567", "FIN", "+35891234567"),
    ],
)
def test_few_digits_without_the_national_prefix_are_doubtful(text: str, country: str, suggestion: str) -> None:
    assert read(text, country) == ("doubtful", suggestion)
    assert read(f"0{text}", country) == ("right", suggestion)


@pytest.mark.parametrize(
    ("text", "country"),
    [("22 12 34 56", "NOR"), ("32 12 34 56", "DNK"), ("6123 4567", "SGP"), ("21 234 567", "LVA"), ("2123 1234", "URY")],
)
def test_few_digits_are_right_where_they_need_no_prefix(text: str, country: str) -> None:
    assert read_number(text, country).outcome == "right"


@pytest.mark.parametrize("text", ["040 123456", "33142685300", "1001"])
def test_without_a_country_a_number_needs_its_country_code(text: str) -> None:
    assert read_number(text).outcome == "fault" and "country code" in read_number(text).reason
    assert read_number(text, "ATA") == read_number(text)


# --- several numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("country", "national", "number"), HOME)
@pytest.mark.parametrize(
    "between",
    [
        " ::: ",
        ":::",
        ";",
        "; ",
        ", ",
        " / ",
        "/",
        " or ",
        " oder ",
        " ou ",
        " o ",
        " lub ",
        " ODER ",
        "\n",
        " | ",
        " & ",
        " und ",
    ],
)
def test_several_complete_numbers_are_read_each(between: str, country: str, national: str, number: str) -> None:
    other = NUMBERS["FRA"][1]
    found = read_numbers(f"{national}{between}{other}", country)
    assert [(each.outcome, each.number) for each in found] == [
        ("right", text) for text in dict.fromkeys((number, other))
    ]
    assert read_number(f"{national}{between}+46701234567", "DEU").outcome == "fault" or number == "+46701234567"


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("030/12345678", "DEU", "+493012345678"),
        ("0049/30/12345678", "DEU", "+493012345678"),
        ("01/42/68/53/00", "FRA", "+33142685300"),
        ("202/555-0143", "USA", "+12025550143"),
        ("02/2345678", "BEL", "+3222345678"),
        ("+43/1/234567", "AUT", "+431234567"),
    ],
)
def test_a_slash_splits_only_complete_numbers(text: str, country: str, number: str) -> None:
    assert read(text, country) == ("right", number)


@pytest.mark.parametrize("text", ["030 123456/57", "06131/12345/67", "030 123456 / 57"])
def test_the_end_of_another_number_is_doubtful(text: str) -> None:
    found = read_number(text, "DEU")
    assert found.outcome == "doubtful" and found.suggestion in ("+4930123456", "+49613112345")


@pytest.mark.parametrize(("country", "national", "number"), HOME)
def test_an_incomplete_part_is_named(country: str, national: str, number: str) -> None:
    found = read_number(f"{national}; 12", country)
    assert found.outcome == "fault" and found.suggestion == number


# --- everywhere ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "country", sorted(country for country in COUNTRIES if region_of(country) in phonenumbers.SUPPORTED_REGIONS)
)
def test_each_notation_of_each_country_is_read_as_the_library_reads_it_or_not_at_all(country: str) -> None:
    for kind in (phonenumbers.PhoneNumberType.FIXED_LINE, phonenumbers.PhoneNumberType.MOBILE):
        number = phonenumbers.example_number_for_type(str(region_of(country)), kind)
        if number is None:
            continue
        kept = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
        for form in range(4):
            text = phonenumbers.format_number(number, form)
            assert read(text, country) == ("right", kept), text
            bare = "".join(sign for sign in text if sign.isdigit() or sign == "+")
            assert read(bare, country)[1] == kept, bare


def test_the_examples_of_the_documents_are_read_as_they_say() -> None:
    text = (Path(__file__).parents[2] / "docs/reference/directory-files.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| `")
    ]
    checked = 0
    for values, country, read_as, _why in (row for row in rows if len(row) == 4):
        for value in re.findall("`([^`]+)`", values):
            if country not in ("any", "none", *COUNTRIES) or "…" in value:
                continue
            found = read_numbers(value, country if country in COUNTRIES else None)
            numbers = [each.number or each.suggestion for each in found]
            assert ", ".join(numbers) == read_as, value
            checked += 1
    assert checked > 25


@pytest.mark.parametrize("country", ["DEU", "FRA", "GBR", "USA", "PRT", "ESP"])
def test_every_number_of_the_demo_is_unchanged_by_its_reading(country: str) -> None:
    content = demo(date(2026, 11, 20), "small").file().read_bytes().decode("utf-8", "replace")
    numbers = set(re.findall(r'"(\+[1-9][0-9]{6,14})"', content))
    assert len(numbers) > 300
    for number in numbers:
        assert read_numbers(number, country) == (Reading("right", number),)
        home = phonenumbers.region_code_for_number(phonenumbers.parse(number))
        own = next((code for code in COUNTRIES if region_of(code) == home), None)
        if own is not None:
            # National notation must be valid; some numbers of the demo are in no plan.
            read_here = read_number(written(number, own), own)
            valid = phonenumbers.is_valid_number(phonenumbers.parse(number))
            assert read_here.number == number or not valid, (number, own, read_here)


def test_a_reading_is_the_same_for_what_it_read() -> None:
    for _national, number in NUMBERS.values():
        assert read_numbers(number, "JPN") == (Reading("right", number),)


def test_a_search_finds_a_number_in_the_notations_of_files() -> None:
    assert "+390612" in search_parts("+39 (0)6 12", "ITA")
    assert "+33142" in search_parts("tel:(+33)\u202f1\u202f42", "USA")
