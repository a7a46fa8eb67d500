"""Telephone numbers: read and formatted in the notation of a country, stored in E.164, found by any part.

`country` is a three-letter code of ISO 3166-1: the country of the reader or writer.
"""

from __future__ import annotations

import re
from functools import lru_cache

from svc_tui.fast_dataclasses import dataclass
from svc_tui.interface.companies.regions import region_of
from svc_tui.language import _

#: Separators between digits.
_BETWEEN = re.compile(r"[\s()./\-‐-―]+")
_DIALABLE = re.compile(r"\+?[0-9]+")
#: `+49 (0)40`: the national prefix that is not dialled from abroad.
_LEFT_OUT = re.compile(r"\(0\)")
#: The country code of several countries, which differ by their area codes.
_NORTH_AMERICA = 1
#: A few countries have longer ones, which would take a second to list.
_LONGEST_EMERGENCY = 5
_TOO_SHORT = _("is too short for a telephone number")


def e164(text: str, country: str | None = None) -> str:
    """A number in E.164: a plus sign, the country code and the national number, digits only.

    ValueError, with a sentence, for a text that is no number, is too short or too long, or has an extension.
    """
    import phonenumbers as library

    cleaned = _LEFT_OUT.sub("", text.strip()) if text.strip().startswith(("+", "00")) else text.strip()
    try:
        number = library.parse(cleaned, region_of(country))
    except library.NumberParseException as error:
        raise ValueError(_reason(error.error_type, country)) from error
    if number.extension:
        raise ValueError(_("must be without an extension"))
    match library.is_possible_number_with_reason(number):
        case library.ValidationResult.TOO_LONG:
            raise ValueError(_("is too long for a telephone number"))
        case library.ValidationResult.TOO_SHORT:
            raise ValueError(_TOO_SHORT)
        case library.ValidationResult.IS_POSSIBLE_LOCAL_ONLY:
            raise ValueError(_("needs an area code"))
        case library.ValidationResult.IS_POSSIBLE:
            return library.format_number(number, library.PhoneNumberFormat.E164)
        case _:
            raise ValueError(_("does not have the length of a telephone number of its country"))


def _reason(kind: int, country: str | None) -> str:
    from phonenumbers import NumberParseException as Reason

    match kind:
        case Reason.INVALID_COUNTRY_CODE if not region_of(country):
            return _("needs a country code, such as +44")
        case Reason.INVALID_COUNTRY_CODE:
            return _("has an unknown country code")
        case Reason.TOO_SHORT_NSN | Reason.TOO_SHORT_AFTER_IDD:
            return _TOO_SHORT
        case Reason.TOO_LONG:
            return _("is too long for a telephone number")
        case _:
            return _("is not a telephone number")


@lru_cache(maxsize=4096)
def written(number: str, country: str | None = None) -> str:
    """A number in E.164 in the notation of a country: national numbers without their country code.

    Any other text, such as an internal or a hidden number, is returned unchanged.
    """
    if not number.startswith("+") or not _DIALABLE.fullmatch(number):
        return number
    import phonenumbers as library

    try:
        read = library.parse(number)
    except library.NumberParseException:
        return number
    region = region_of(country)
    home = region is not None and library.country_code_for_region(region) == read.country_code
    form = library.PhoneNumberFormat.NATIONAL if home else library.PhoneNumberFormat.INTERNATIONAL
    return library.format_number(read, form)


@lru_cache(maxsize=256)
def search_parts(text: str, country: str | None = None) -> tuple[str, ...]:
    """The search texts for a part of a number: a number in E.164, or an internal one, matches when it has one of them.

    Texts with a plus sign match at the beginning only. Empty when the text is no part of a number.
    """
    abroad = text.strip().startswith(("+", "00"))
    cleaned = _BETWEEN.sub("", _LEFT_OUT.sub("", text) if abroad else text)
    if not cleaned.isascii() or not _DIALABLE.fullmatch(cleaned):
        return ()
    if cleaned.startswith("+"):
        return (cleaned,)
    return tuple(dict.fromkeys((cleaned, *_dialled_at_home(cleaned, region_of(country)), *_whole(cleaned, country))))


def _whole(digits: str, country: str | None) -> list[str]:
    # Some countries write digits that E.164 does not have; the library knows them for whole numbers.
    try:
        return [e164(digits, country)] if region_of(country) else []
    except ValueError:
        return []


def _dialled_at_home(digits: str, region: str | None) -> list[str]:
    """Digits with the international or national prefix of a region, as the beginning of a number in E.164."""
    if region is None:
        return []
    from phonenumbers import PhoneMetadata

    metadata = PhoneMetadata.metadata_for_region(region)
    if metadata is None:
        return []
    found = []
    abroad = re.match(metadata.international_prefix or "00", digits)
    if abroad and abroad.end() < len(digits):
        found.append("+" + digits[abroad.end() :])
    national = metadata.national_prefix
    if national and digits.startswith(national) and len(digits) > len(national):
        found.append(f"+{metadata.country_code}{digits[len(national) :]}")
    elif not national:
        found.append(f"+{metadata.country_code}{digits}")
    return found


@lru_cache(maxsize=256)
def is_emergency(number: str, country: str | None = None) -> bool:
    """Whether this is an emergency number of the country."""
    from phonenumbers.shortnumberinfo import is_emergency_number

    return number in emergency_numbers(country) or is_emergency_number(number, region_of(country) or "")


@lru_cache(maxsize=64)
def emergency_numbers(country: str | None = None) -> tuple[str, ...]:
    """The emergency numbers of a country, short ones first; 112 when none is known."""
    from phonenumbers import PhoneMetadata

    metadata = PhoneMetadata.short_metadata_for_region(region_of(country) or "")
    emergency = metadata.emergency if metadata else None
    if emergency is None or emergency.national_number_pattern is None:
        return ("112",)
    pattern = re.compile(emergency.national_number_pattern)
    lengths = sorted(length for length in emergency.possible_length if length <= _LONGEST_EMERGENCY)
    tried = (str(number).zfill(length) for length in lengths for number in range(10**length))
    return tuple(number for number in tried if pattern.fullmatch(number))


@dataclass(frozen=True, slots=True)
class ExternalNumber:
    """An external number, seen from the country of the caller: in E.164, or a short number of that country."""

    number: str
    international: bool = False
    surcharged: bool = False


def external_number(text: str, country: str | None = None) -> ExternalNumber:
    """The external number of dialled digits. ValueError, with a sentence, for any other text."""
    import phonenumbers as library

    region = region_of(country)
    # First of all: the library would also read a short number as one without its area code.
    if short := _short(text, region):
        return short
    normalised = e164(text, country)
    number = library.parse(normalised)
    home = region is not None and library.country_code_for_region(region) == number.country_code
    if home and not text.startswith(("+", "0")) and written(normalised, country).lstrip("(").startswith("0"):
        # The library accepts it, but dialled here it is a local number.
        raise ValueError(_("needs an area code that begins with 0"))
    if home and number.country_code == _NORTH_AMERICA:
        home = library.region_code_for_number(number) in (region, None)
    dear = (library.PhoneNumberType.PREMIUM_RATE, library.PhoneNumberType.SHARED_COST)
    return ExternalNumber(normalised, international=not home, surcharged=library.number_type(number) in dear)


def _short(text: str, region: str | None) -> ExternalNumber | None:
    import phonenumbers as library
    from phonenumbers.shortnumberinfo import expected_cost_for_region

    if region is None or not text.isascii() or not text.isdecimal():
        return None
    number = library.PhoneNumber(national_number=int(text), country_code=library.country_code_for_region(region))
    if not library.is_valid_short_number_for_region(number, region):
        return None
    cost = expected_cost_for_region(number, region)
    return ExternalNumber(text, surcharged=cost == library.ShortNumberCost.PREMIUM_RATE)


def found_in(text: str, number: str, country: str | None = None) -> bool:
    """Whether a number has the typed part, in any notation."""
    digits = _BETWEEN.sub("", number)
    return any(part in digits for part in search_parts(text, country))
