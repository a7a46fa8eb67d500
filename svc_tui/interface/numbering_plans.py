"""What digits can be in the numbering plan of a country: a national number, or one with its country code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from svc_tui.interface.companies.countries import COUNTRIES, region_of
from svc_tui.interface.telephone_text import groups_of
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    import phonenumbers
    from phonenumbers import PhoneNumber
else:
    phonenumbers = lazy_import("phonenumbers")

Kind = Literal["abroad", "home", "lost_plus"]
#: Fewer digits without the national prefix can lack their area code.
_FEWEST_BARE_DIGITS = 9
_LONGEST_INTERNAL = 5
_TOO_SHORT = _("is too short for a telephone number")
_TOO_LONG = _("is too long for a telephone number")
NO_NUMBER = _("is not a telephone number")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number in E.164 that digits can be.

    `kind`: written with its country code (`abroad`) or in national notation (`home`), or it has a country code without
    a plus sign (`lost_plus`). `valid` in the plan of its country; `whole` unless its area code may be missing.
    """

    number: str
    kind: Kind
    valid: bool
    whole: bool = True

    def is_of(self, country: str | None) -> bool:
        """Whether it has the country code of this country."""
        region = plan_of(country)
        own = phonenumbers.country_code_for_region(region) if region else None
        return own == phonenumbers.parse(self.number).country_code

    def is_written_in(self, text: str) -> bool:
        """Whether a text has the groups of digits of the national notation of this number."""
        if self.kind != "home":
            return False
        usual = phonenumbers.format_number(phonenumbers.parse(self.number), phonenumbers.PhoneNumberFormat.NATIONAL)
        return len(groups_of(text)) > 1 and groups_of(text) == groups_of(usual)


def plan_of(country: str | None) -> str | None:
    """The region of a country with a numbering plan; None for any other."""
    region = region_of(country)
    return region if region in phonenumbers.SUPPORTED_REGIONS else None


def candidates(digits: str, country: str | None, *, dialled: bool = False) -> tuple[list[Candidate], str]:
    """What digits can be, and why they are nothing else. Dialled digits lack no plus sign."""
    region = plan_of(country)
    if digits.startswith("+"):
        return _abroad(digits)
    found: list[Candidate] = []
    problem = _("needs a country code, such as +44")
    if region is not None:
        found, problem = _dialled_in(digits, region, country or "")
    if digits.startswith("00"):
        if all(each.kind != "abroad" for each in found):
            others, other_problem = _abroad(f"+{digits[2:]}")
            found, problem = found + others, other_problem
    elif not dialled and not digits.startswith("0"):
        found += [replace(each, kind="lost_plus") for each in _abroad(f"+{digits}")[0] if each.valid]
    return found, problem


def _abroad(text: str) -> tuple[list[Candidate], str]:
    """A number with its country code, and the problem of another text."""
    try:
        number = phonenumbers.parse(text)
    except phonenumbers.NumberParseException as error:
        return [], _reason(error.error_type)
    if problem := _length_problem(number):
        return [], problem
    return [Candidate(_e164(number), "abroad", phonenumbers.is_valid_number(number))], ""


def _e164(number: PhoneNumber) -> str:
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _dialled_in(digits: str, region: str, country: str) -> tuple[list[Candidate], str]:
    """Digits without a plus sign, as they are dialled in a region, if they are valid there."""
    try:
        number = phonenumbers.parse(digits, region, keep_raw_input=True)
    except phonenumbers.NumberParseException as error:
        return [], _reason(error.error_type)
    match number.country_code_source:
        case phonenumbers.CountryCodeSource.FROM_NUMBER_WITH_IDD:
            problem = _length_problem(number)
            found = Candidate(_e164(number), "abroad", phonenumbers.is_valid_number(number))
            # Other prefixes than 00 can also be the beginning of a national number.
            problem = problem or ("" if found.valid or digits[:2] == "00" else _not_of(country))
            return ([], problem) if problem else ([found], "")
        case phonenumbers.CountryCodeSource.FROM_NUMBER_WITHOUT_PLUS_SIGN if _prefix(region) != str(
            number.country_code
        ):
            return [], _not_of(country)
    valid = phonenumbers.is_valid_number(number)
    if len(digits) <= _LONGEST_INTERNAL and not valid:
        return [], _("is an internal or short number, not one of the public network")
    if not valid:
        return [], _length_problem(number) or _not_of(country)
    return [Candidate(_e164(number), "home", valid=True, whole=_is_whole(number, digits, region))], ""


def _not_of(country: str) -> str:
    return _("is not a telephone number of {country}").format(country=COUNTRIES.get(country.upper(), country))


def _is_whole(number: PhoneNumber, digits: str, region: str) -> bool:
    """Whether national digits have their prefix, need none, or are long enough to have an area code."""
    if len(digits) >= _FEWEST_BARE_DIGITS:
        return True
    prefix = _prefix(region)
    if not prefix or digits.startswith(prefix):
        return True
    # In some countries only numbers of another kind have the prefix.
    return "".join(groups_of(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL))) == digits


def _prefix(region: str) -> str:
    """The national prefix of a region; empty without one."""
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(region)
    return (metadata.national_prefix if metadata else None) or ""


def _length_problem(number: PhoneNumber) -> str:
    match phonenumbers.is_possible_number_with_reason(number):
        case phonenumbers.ValidationResult.IS_POSSIBLE:
            return ""
        case phonenumbers.ValidationResult.TOO_LONG:
            return _TOO_LONG
        case phonenumbers.ValidationResult.TOO_SHORT:
            return _TOO_SHORT
        case phonenumbers.ValidationResult.IS_POSSIBLE_LOCAL_ONLY:
            return _("needs an area code")
        case phonenumbers.ValidationResult.INVALID_COUNTRY_CODE:
            return _("has an unknown country code")
        case _:
            return _("does not have the length of a telephone number of its country")


def _reason(kind: int) -> str:
    match kind:
        case phonenumbers.NumberParseException.INVALID_COUNTRY_CODE:
            return _("has an unknown country code")
        case phonenumbers.NumberParseException.TOO_SHORT_NSN | phonenumbers.NumberParseException.TOO_SHORT_AFTER_IDD:
            return _TOO_SHORT
        case phonenumbers.NumberParseException.TOO_LONG:
            return _TOO_LONG
        case _:
            return NO_NUMBER
