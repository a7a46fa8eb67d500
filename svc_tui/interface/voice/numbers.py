"""Telephone numbers: read and written as their country does, kept in E.164, found by any part in any notation.

`country` is a three-letter code of ISO 3166-1: where the person who writes or reads is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from svc_tui.interface.voice.regions import region_of

#: What stands between digits, beside blanks.
_BETWEEN = re.compile(r"[\s()./\-‐-―]+")
_DIALABLE = re.compile(r"\+?[0-9]+")
#: `+49 (0)40`: the national prefix that is not dialled from abroad.
_LEFT_OUT = re.compile(r"\(0\)")
_TOO_SHORT = "is too short for a telephone number"


def e164(text: str, country: str | None = None) -> str:
    """A number as the interface keeps it: a plus sign, the country code and the national number, digits only.

    ValueError, with a sentence, for what is no number, is short or long for its country, or has an extension.
    """
    import phonenumbers as library

    cleaned = _LEFT_OUT.sub("", text.strip()) if text.strip().startswith(("+", "00")) else text.strip()
    try:
        number = library.parse(cleaned, region_of(country))
    except library.NumberParseException as error:
        raise ValueError(_said(error.error_type, country)) from error
    if number.extension:
        raise ValueError("must be without an extension")
    match library.is_possible_number_with_reason(number):
        case library.ValidationResult.TOO_LONG:
            raise ValueError("is too long for a telephone number")
        case library.ValidationResult.TOO_SHORT:
            raise ValueError(_TOO_SHORT)
        case library.ValidationResult.IS_POSSIBLE_LOCAL_ONLY:
            raise ValueError("needs its area code")
        case library.ValidationResult.IS_POSSIBLE:
            return library.format_number(number, library.PhoneNumberFormat.E164)
        case _:
            raise ValueError("does not have the length of a telephone number of its country")


def _said(kind: int, country: str | None) -> str:
    from phonenumbers import NumberParseException as Reason

    match kind:
        case Reason.INVALID_COUNTRY_CODE if not region_of(country):
            return "needs its country code, such as +44"
        case Reason.INVALID_COUNTRY_CODE:
            return "has a country code that does not exist"
        case Reason.TOO_SHORT_NSN | Reason.TOO_SHORT_AFTER_IDD:
            return _TOO_SHORT
        case Reason.TOO_LONG:
            return "is too long for a telephone number"
        case _:
            return "is no telephone number"


@lru_cache(maxsize=4096)
def written(number: str, country: str | None = None) -> str:
    """A number in E.164 as people of the country write it: national at home, with the country code elsewhere.

    What is no number in E.164 (an internal one, a hidden one) stays as it is.
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
    """What a typed part of a number can mean: a number (in E.164, or internal) is found when it holds one of these.

    Those with a plus sign can stand at the beginning only. Empty when the text is no part of a number.
    """
    abroad = text.strip().startswith(("+", "00"))
    cleaned = _BETWEEN.sub("", _LEFT_OUT.sub("", text) if abroad else text)
    if not cleaned.isascii() or not _DIALABLE.fullmatch(cleaned):
        return ()
    if cleaned.startswith("+"):
        return (cleaned,)
    return tuple(dict.fromkeys((cleaned, *_dialled_at_home(cleaned, region_of(country)), *_whole(cleaned, country))))


def _whole(digits: str, country: str | None) -> list[str]:
    # Some countries write digits that E.164 does not have: of a whole number the library knows them.
    try:
        return [e164(digits, country)] if region_of(country) else []
    except ValueError:
        return []


def _dialled_at_home(digits: str, region: str | None) -> list[str]:
    """Digits with the international or the national prefix of a region as the beginning of a number in E.164."""
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


def found_in(text: str, number: str, country: str | None = None) -> bool:
    """Whether a number holds what somebody typed, in whatever notation he did."""
    kept = _BETWEEN.sub("", number)
    return any(part in kept for part in search_parts(text, country))
