"""Numbers are read and shown in the notation of the country, and found by any part."""

from __future__ import annotations

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phonenumbers import PhoneNumberFormat

from svc_tui.interface.companies.countries import COUNTRIES, region_of
from svc_tui.interface.telephone_numbers import (
    ExternalNumber,
    e164,
    emergency_numbers,
    external_number,
    found_in,
    is_emergency,
    search_parts,
    written,
)

#: Countries with a numbering plan of their own.
PLANNED = sorted(country for country in COUNTRIES if region_of(country) in phonenumbers.SUPPORTED_REGIONS)


def example_of(country: str) -> phonenumbers.PhoneNumber:
    """A number of the country that the library knows as one."""
    found = phonenumbers.example_number(str(region_of(country)))
    assert found is not None
    return found


def test_every_country_has_two_letters_of_its_own() -> None:
    regions = [region_of(country) for country in COUNTRIES]
    assert None not in regions
    assert len(set(regions)) == len(COUNTRIES)
    # Ascension, Kosovo and Tristan da Cunha have numbers, but no three letters in ISO 3166-1.
    assert set(phonenumbers.SUPPORTED_REGIONS) - set(regions) == {"AC", "TA", "XK"}
    assert region_of("deu") == "DE"
    assert region_of("XXX") is region_of(None) is None


@pytest.mark.parametrize("country", PLANNED)
def test_each_country_reads_and_writes_its_own_notation(country: str) -> None:
    number = example_of(country)
    kept = phonenumbers.format_number(number, PhoneNumberFormat.E164)
    at_home = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
    abroad = phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL)
    assert e164(at_home, country) == e164(abroad) == e164(kept) == kept
    assert written(kept, country) == at_home
    elsewhere = "PRT" if country != "PRT" else "FRA"
    assert written(kept, elsewhere) == written(kept) == abroad


@pytest.mark.parametrize("country", PLANNED)
def test_a_number_is_found_in_every_notation_of_its_country(country: str) -> None:
    number = example_of(country)
    kept = phonenumbers.format_number(number, PhoneNumberFormat.E164)
    for text in (
        kept,
        phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL),
        phonenumbers.format_number(number, PhoneNumberFormat.RFC3966).removeprefix("tel:"),
        kept[1:],
        kept[-4:],
        phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL),
    ):
        assert found_in(text, kept, country), text


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("040 123", "DEU"),
        ("(040) 12", "DEU"),
        ("+49 40", "DEU"),
        ("+49 (0)40 123", "DEU"),
        ("0049 40", "PRT"),
        ("0049 (0)40", "DEU"),
        ("011 49 40", "USA"),
        ("123-456", "DEU"),
        ("40/12", None),
    ],
)
def test_a_german_number_is_found_by_its_parts(text: str, country: str | None) -> None:
    assert found_in(text, "+4940123456", country)


@pytest.mark.parametrize("text", ["041", "+40", "0049 12", "hamburg", "", "+", "4o"])
def test_digits_of_other_numbers_do_not_match(text: str) -> None:
    assert not found_in(text, "+4940123456", "DEU")


def test_an_internal_number_is_found_and_shown_unchanged() -> None:
    assert found_in("80", "8001", "DEU")
    assert written("8001", "DEU") == "8001"
    assert written("+", "DEU") == "+"
    assert written("anonymous", "DEU") == "anonymous"


@pytest.mark.parametrize(
    ("text", "country", "reason"),
    [
        ("040 123456", None, "country code"),
        ("+999 123456", "DEU", "unknown country code"),
        ("", "DEU", "not a telephone number"),
        ("desk", "DEU", "contains the words: desk"),
        ("+49", "DEU", "not a telephone number|too short"),
        ("12", "DEU", "internal or short number"),
        ("+1 23", None, "too short"),
        ("555 1234", "USA", "area code"),
        ("+49 40 123456789012345", None, "too long"),
        ("+49 40 123456 ext. 7", None, "extension"),
    ],
)
def test_an_invalid_number_is_refused_with_the_reason(text: str, country: str | None, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        e164(text, country)


def test_the_emergency_numbers_of_a_country() -> None:
    assert emergency_numbers("DEU") == ("110", "112")
    assert emergency_numbers("USA")[0] == "112"
    assert emergency_numbers(None) == emergency_numbers("XXX") == ("112",)
    for country in PLANNED:
        assert all(is_emergency(number, country) for number in emergency_numbers(country)), country


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("040123456", "DEU", ExternalNumber("+4940123456")),
        ("+4940123456", "DEU", ExternalNumber("+4940123456")),
        ("+4940123456", "PRT", ExternalNumber("+4940123456", international=True)),
        ("2125551234", "USA", ExternalNumber("+12125551234")),
        ("14165551234", "USA", ExternalNumber("+14165551234", international=True)),
        ("09001234567", "DEU", ExternalNumber("+499001234567", surcharged=True)),
        ("11833", "DEU", ExternalNumber("11833")),
        ("1800123456", "AUS", ExternalNumber("+611800123456")),
    ],
)
def test_external_numbers(text: str, country: str, expected: ExternalNumber) -> None:
    assert external_number(text, country) == expected


def test_a_local_number_needs_its_area_code() -> None:
    with pytest.raises(ValueError, match="area code"):
        external_number("40123456", "DEU")


@given(st.text(max_size=40), st.sampled_from([None, "XXX", *PLANNED]))
def test_any_text_is_read_or_refused(text: str, country: str | None) -> None:
    try:
        kept = e164(text, country)
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert e164(kept) == kept
        assert found_in(kept, kept, country)
    written(text, country)
    assert all(part.lstrip("+").isdigit() for part in search_parts(text, country))
