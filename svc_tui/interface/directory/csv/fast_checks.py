"""Fast checks for files with a million cells. Values that they do not accept are validated in full."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.kinds import EMAIL_PATTERN
from svc_tui.interface.companies.regions import region_of
from svc_tui.interface.directory.records import LONGEST_NUMBER, LONGEST_TAG, LONGEST_TEXT

#: Returns a true value for values that are certainly valid.
FastCheck = Callable[[str], object]

_EMAIL = re.compile(EMAIL_PATTERN)
#: A country code and a number.
_NUMBER = re.compile(r"\+[1-9][0-9]{5,14}")
#: Digits with separators.
_SPACED = re.compile(r"[0-9]+(?:[ .-][0-9]+)*")
_SEPARATOR = re.compile(r"[ .-]")


@lru_cache(maxsize=512)
def digits_after(code: str) -> frozenset[int]:
    """The possible numbers of digits after a country code. Empty for other codes."""
    import phonenumbers as library

    region = library.region_code_for_country_code(int(code))
    metadata = library.PhoneMetadata.metadata_for_region_or_calling_code(int(code), region)
    general = metadata.general_desc if metadata else None
    return frozenset(general.possible_length) if general else frozenset()


def is_international_number(value: str) -> bool:
    """Whether the value is certainly a valid number in E.164, with a possible length and no national prefix."""
    if not _NUMBER.fullmatch(value):
        return False
    for end in (2, 3, 4):
        if lengths := digits_after(value[1:end]):
            return value[end] != "0" and len(value) - end in lengths
    return False


@lru_cache(maxsize=256)
def national_patterns(country: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]] | None:
    """Patterns of a country: its national prefix, its international prefix, its national numbers.

    None where a national number cannot be read by removing a prefix.
    """
    import phonenumbers as library

    region = region_of(country)
    metadata = library.PhoneMetadata.metadata_for_region(region) if region else None
    general = metadata.general_desc if metadata else None
    if metadata is None or general is None or metadata.national_prefix_transform_rule is not None:
        return None
    prefix = re.compile(metadata.national_prefix_for_parsing or "")
    if prefix.groups or not general.national_number_pattern:
        return None
    international = re.compile(metadata.international_prefix or "(?!)")
    return prefix, international, re.compile(general.national_number_pattern)


def is_national_number(value: str, country: str) -> bool:
    """Whether the value is certainly a valid national number of this country."""
    if not _SPACED.fullmatch(value) or (patterns := national_patterns(country)) is None:
        return False
    prefix, international, national = patterns
    digits = _SEPARATOR.sub("", value)
    rest = prefix.sub("", digits, count=1) if prefix.match(digits) else digits
    return len(value) <= LONGEST_NUMBER and national.fullmatch(rest) is not None and not international.match(digits)


def is_email_address(value: str) -> bool:
    """Whether the value is certainly a valid email address."""
    return 3 <= len(value) <= LONGEST_TEXT and _EMAIL.fullmatch(value) is not None


def fast_check(field: str) -> FastCheck:
    """The fast check of a field. It accepts nothing for fields without one."""
    if field.endswith("PhoneNumbers"):
        return lambda value: len(value) <= LONGEST_NUMBER and is_international_number(value)
    checks: dict[str, FastCheck] = {
        "eMail": is_email_address,
        "country": COUNTRIES.__contains__,
        "tags": lambda value: len(value) <= LONGEST_TAG and not value[:1].isspace() and not value[-1:].isspace(),
    }
    return checks.get(field, lambda value: False)
