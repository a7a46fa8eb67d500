"""Shortcuts for a million cells: what is surely right is let through; everything else takes the long way."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.kinds import EMAIL_PATTERN
from svc_tui.interface.directory.records import LONGEST_NUMBER, LONGEST_TAG, LONGEST_TEXT
from svc_tui.interface.voice.regions import region_of

Surely = Callable[[str], object]

_EMAIL = re.compile(EMAIL_PATTERN)
#: A country code, then a number that does not begin with the zero that is dialled at home only.
_NUMBER = re.compile(r"\+[1-9][0-9]{5,14}")
#: Digits, as people part them.
_SPACED = re.compile(r"[0-9]+(?:[ .-][0-9]+)*")
_BETWEEN = re.compile(r"[ .-]")


@lru_cache(maxsize=512)
def _lengths(code: str) -> frozenset[int]:
    """How many digits follow a country code; empty when it is none."""
    import phonenumbers as library

    region = library.region_code_for_country_code(int(code))
    metadata = library.PhoneMetadata.metadata_for_region_or_calling_code(int(code), region)
    general = metadata.general_desc if metadata else None
    return frozenset(general.possible_length) if general else frozenset()


def is_number(value: str) -> bool:
    """Surely a number in E.164 of a length that its country has."""
    if not _NUMBER.fullmatch(value):
        return False
    for end in (2, 3, 4):
        if lengths := _lengths(value[1:end]):
            return value[end] != "0" and len(value) - end in lengths
    return False


@lru_cache(maxsize=256)
def _home(country: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]] | None:
    """How numbers are written at home: national prefix, what begins one abroad, national numbers.

    None where more than a prefix has to be taken away.
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
    abroad = re.compile(metadata.international_prefix or "(?!)")
    return prefix, abroad, re.compile(general.national_number_pattern)


def is_at_home(value: str, country: str) -> bool:
    """Surely a number as people of this country write theirs."""
    if not _SPACED.fullmatch(value) or (home := _home(country)) is None:
        return False
    prefix, abroad, national = home
    digits = _BETWEEN.sub("", value)
    rest = prefix.sub("", digits, count=1) if prefix.match(digits) else digits
    return len(value) <= LONGEST_NUMBER and national.fullmatch(rest) is not None and not abroad.match(digits)


def is_mail_address(value: str) -> bool:
    """Surely a mail address."""
    return 3 <= len(value) <= LONGEST_TEXT and _EMAIL.fullmatch(value) is not None


def surely(field: str) -> Surely:
    """What lets a value of a field through at once."""
    if field.endswith("PhoneNumbers"):
        return lambda value: len(value) <= LONGEST_NUMBER and is_number(value)
    known: dict[str, Surely] = {
        "eMail": is_mail_address,
        "country": COUNTRIES.__contains__,
        "tags": lambda value: len(value) <= LONGEST_TAG and not value[:1].isspace() and not value[-1:].isspace(),
    }
    return known.get(field, lambda value: False)
