"""Telephone numbers: read and formatted in the notation of a country, stored in E.164, found by any part.

`country` is a three-letter code of ISO 3166-1: the country of the reader or writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from svc_tui.interface import telephone_text as parts
from svc_tui.interface.companies.countries import region_of
from svc_tui.interface.numbering_plans import NO_NUMBER, Candidate, candidates, plan_of
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    import phonenumbers
else:
    phonenumbers = lazy_import("phonenumbers")

#: The country code of several countries, which differ by their area codes.
_NORTH_AMERICA = 1
#: A few countries have longer ones, which would take a second to list.
_LONGEST_EMERGENCY = 5
#: Up to so many digits behind a slash can be the end of another number.
_LONGEST_END = 3
_PLAIN_E164 = re.compile(r"\+[1-9][0-9]{5,14}")
#: The most parts of a text in which several numbers are looked for.
_MOST_PARTS = 24


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text is read as.

    `right`: the text is `number`, in E.164. `doubtful`: it can be more than one number, or lacks a part; `reason` has
    the sentence, and `suggestion` what it most likely is. `fault`: it is no number; `suggestion` may be empty.
    A reason continues a sentence that begins with the field.
    """

    outcome: Literal["right", "doubtful", "fault"]
    number: str = ""
    reason: str = ""
    suggestion: str = ""

    @property
    def advice(self) -> str:
        """The reason with the suggestion, where there is one."""
        hint = _(" (did you mean {suggestion}?)").format(suggestion=self.suggestion) if self.suggestion else ""
        return f"{self.reason}{hint}"


def read_number(text: str, country: str | None = None) -> Reading:
    """The one reading of a telephone number, in any notation that a file, a form or a client can have.

    National notation must be valid in the numbering plan of the country. With a plus sign or `00` a possible length is
    enough. A text with several numbers is a fault here; `read_numbers` reads each of them.
    """
    found = read_numbers(text, country)
    if len(found) == 1:
        return found[0]
    reason = _("contains {count} telephone numbers").format(count=len(found))
    return Reading("fault", reason=reason, suggestion=found[0].number)


@lru_cache(maxsize=8192)
def read_numbers(text: str, country: str | None = None) -> tuple[Reading, ...]:
    """The readings of a text. More than one where it consists of several complete numbers, which then are all right."""
    if is_plain_e164(text):
        return (Reading("right", text),)
    if parts.is_plain(text):
        return (_judged([text.replace(" ", "")], text, country, dialled=False),)
    plain = parts.cleaned(text)
    if fault := _fault_of_shape(plain, country):
        return (Reading("fault", reason=fault),)
    certain = parts.certain_parts(plain)
    found = [reading for part in certain for reading in _readings_of_part(part, country)]
    if all(reading.outcome == "right" for reading in found) and found:
        return tuple({reading.number: reading for reading in found}.values())
    if (base := parts.without_extension(plain)) is not None and (without := _single(base, country)).number:
        return (Reading("fault", reason=_("must be without an extension"), suggestion=without.number),)
    if len(found) == 1 and len(certain) == 1:
        return (found[0],)
    return (_doubtful_part(certain, found) if len(found) > 1 else _single(plain, country),)


def area_of(number: str) -> str:
    """Country code and area code of a number in E.164, `+351 21`: the country code alone where it has no area code."""
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return ""
    national = phonenumbers.national_significant_number(parsed)
    area = national[: phonenumbers.length_of_national_destination_code(parsed)]
    return f"+{parsed.country_code} {area}".strip()


def e164(text: str, country: str | None = None) -> str:
    """A number in E.164: a plus sign, the country code and the national number, digits only.

    ValueError, with a sentence, for a text that is no number, or a doubtful one.
    """
    reading = read_number(text, country)
    if reading.outcome != "right":
        raise ValueError(reading.advice)
    return reading.number


@lru_cache(maxsize=512)
def _lengths_behind(code: str) -> frozenset[int]:
    """The possible numbers of digits behind a country code. Empty for other digits."""
    region = phonenumbers.region_code_for_country_code(int(code))
    metadata = phonenumbers.PhoneMetadata.metadata_for_region_or_calling_code(int(code), region)
    general = metadata.general_desc if metadata else None
    return frozenset(general.possible_length) if general else frozenset()


def is_plain_e164(text: str) -> bool:
    """Whether a text certainly is a number in E.164, with a possible length and no national prefix: a short way."""
    if not _PLAIN_E164.fullmatch(text):
        return False
    for end in (2, 3, 4):
        if lengths := _lengths_behind(text[1:end]):
            return text[end] != "0" and len(text) - end in lengths
    return False


def _fault_of_shape(plain: str, country: str | None) -> str:
    """Why a cleaned text is no number, whatever the country is; empty when it can be one."""
    if parts.is_scientific(plain):
        return _("is a number that a spreadsheet rounded: format the column as text and enter it again")
    # New Caledonia writes its numbers as 20.12.34.
    if parts.is_date(plain) and written(_single(plain, country).number, country) != plain:
        return _("is a date")
    return "" if any(sign.isdigit() for sign in plain) or parts.words_in(plain) else NO_NUMBER


def _readings_of_part(text: str, country: str | None) -> list[Reading]:
    """The readings of a text in which signs such as a slash can stand inside a number, or between numbers."""
    pieces = parts.possible_parts(text)
    if len(pieces) == 1 or len(pieces) > _MOST_PARTS:
        return [_single(text, country)]
    if len(several := _complete_numbers(pieces, country)) > 1:
        return several
    whole = _single(text, country)
    starts = ["".join(pieces[:end]) for end in range(1, len(pieces), 2)]
    left = next((found for start in reversed(starts) if (found := _complete(start, country))), None)
    if whole.outcome != "right" or left is None:
        return [whole]
    reason = _("can be one number, or {number} and the end of another one").format(number=left.number)
    likely = left if len(parts.digits_of(pieces[-1])) <= _LONGEST_END else whole
    return [Reading("doubtful", reason=reason, suggestion=likely.number)]


def _complete_numbers(pieces: Sequence[str], country: str | None) -> list[Reading]:
    """The complete numbers of which pieces, with separators between them, consist; empty when something remains."""
    for end in range(1, len(pieces) + 1, 2):
        if (first := _complete("".join(pieces[:end]), country)) is None:
            continue
        if end == len(pieces):
            return [first]
        if others := _complete_numbers(pieces[end + 1 :], country):
            return [first, *others]
    return []


def _complete(text: str, country: str | None) -> Reading | None:
    """The reading of a text that is a valid number, not only one of a possible length."""
    found = _single(text, country)
    return found if found.number and phonenumbers.is_valid_number(phonenumbers.parse(found.number)) else None


def _doubtful_part(texts: Sequence[str], found: Sequence[Reading]) -> Reading:
    """The reading of a text with several numbers, of which one is not right."""
    at = next(place for place, reading in enumerate(found) if reading.outcome != "right")
    text = texts[at] if len(texts) == len(found) else ""
    reason = _("contains several numbers, of which {text} {reason}").format(text=f"“{text}”", reason=found[at].reason)
    suggested = [reading.number or reading.suggestion for reading in found]
    if any(reading.outcome == "fault" for reading in found) or not all(suggested):
        return Reading("fault", reason=reason, suggestion=next((each for each in suggested if each), ""))
    return Reading("doubtful", reason=reason, suggestion="; ".join(suggested))


def _single(plain: str, country: str | None, *, dialled: bool = False) -> Reading:
    """The reading of a cleaned text with at most one number. Dialled digits have no lost plus sign."""
    if words := parts.words_in(plain):
        inside = parts.without_words(plain)
        suggestion = _single(inside, country).number if inside else ""
        reason = _("contains the words: {words}").format(words=", ".join(words))
        return Reading("fault", reason=reason, suggestion=suggestion)
    if signs := parts.unknown_signs(plain):
        reason = _("contains signs that no number has: {signs}").format(signs=" ".join(signs))
        return Reading("fault", reason=reason)
    if (start := parts.without_last_part(plain)) and (base := _single(start, country)).number:
        reason = _("ends with digits that may not belong to the number")
        return Reading("doubtful", reason=reason, suggestion=base.number)
    variants = [parts.digits_of(variant) for variant in parts.zero_left_out(plain)]
    if not all(variants):
        return Reading("fault", reason=NO_NUMBER)
    return _judged(variants, plain, country, dialled=dialled)


def _judged(variants: Sequence[str], plain: str, country: str | None, *, dialled: bool) -> Reading:
    """The reading of digits: those without and with the zero of `(0)`, where there is one."""
    found: list[Candidate] = []
    problem = ""
    for digits in reversed(variants):
        more, problem = candidates(digits, country, dialled=dialled)
        found = more + found
    valid: dict[str, Candidate] = {}
    for each in found:
        if each.valid and (each.whole or each.number not in valid):
            valid[each.number] = each
    if len(valid) > 1:
        return _of_several_valid(list(valid.values()), plain, country)
    if valid:
        (only,) = valid.values()
        if only.kind == "lost_plus" and plan_of(country) is None:
            return Reading("fault", reason=problem, suggestion=only.number)
        if only.whole:
            return Reading("right", only.number)
        reason = _("has so few digits that its area code may be missing")
        return Reading("doubtful", reason=reason, suggestion=only.number)
    if not found:
        return Reading("fault", reason=problem)
    if len(variants) == 1:
        return Reading("right", found[0].number)
    return Reading("doubtful", reason=_("is not valid with its (0), nor without it"), suggestion=found[0].number)


def _of_several_valid(valid: Sequence[Candidate], plain: str, country: str | None) -> Reading:
    """The reading of digits that are more than one valid number."""
    if here := [each for each in valid if each.is_written_in(plain)]:
        return Reading("right", here[0].number)
    likely = next((each for each in valid if each.kind == "lost_plus" and each.is_of(country)), valid[0])
    reason = _("can be {numbers}").format(numbers=_(" or ").join(each.number for each in valid))
    return Reading("doubtful", reason=reason, suggestion=likely.number)


@lru_cache(maxsize=4096)
def written(number: str, country: str | None = None) -> str:
    """A number in E.164 in the notation of a country: national numbers without their country code.

    Any other text, such as an internal or a hidden number, is returned unchanged.
    """
    if not number.startswith("+") or not number[1:].isdecimal() or not number.isascii():
        return number
    try:
        read = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return number
    region = region_of(country)
    home = region is not None and phonenumbers.country_code_for_region(region) == read.country_code
    form = phonenumbers.PhoneNumberFormat.NATIONAL if home else phonenumbers.PhoneNumberFormat.INTERNATIONAL
    return phonenumbers.format_number(read, form)


@lru_cache(maxsize=256)
def search_parts(text: str, country: str | None = None) -> tuple[str, ...]:
    """The search texts for a part of a number: a number in E.164, or an internal one, matches when it has one of them.

    Texts with a plus sign match at the beginning only. Empty when the text is no part of a number.
    """
    variants = [parts.digits_of(variant) for variant in parts.zero_left_out(parts.cleaned(text))]
    return tuple(dict.fromkeys(part for digits in variants if digits for part in _parts_of_digits(digits, country)))


def _parts_of_digits(digits: str, country: str | None) -> Iterator[str]:
    yield digits
    if not digits.startswith("+"):
        yield from _dialled_at_home(digits, region_of(country))
        # Some countries write digits that E.164 does not have; the library knows them for whole numbers.
        yield from (each.number for each in candidates(digits, country)[0])


def _dialled_at_home(digits: str, region: str | None) -> list[str]:
    """Digits with the international or national prefix of a region, as the beginning of a number in E.164."""
    if region is None:
        return []
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(region)
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
    return number in emergency_numbers(country) or phonenumbers.is_emergency_number(number, region_of(country) or "")


@lru_cache(maxsize=64)
def emergency_numbers(country: str | None = None) -> tuple[str, ...]:
    """The emergency numbers of a country, short ones first; 112 when none is known."""
    metadata = phonenumbers.PhoneMetadata.short_metadata_for_region(region_of(country) or "")
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
    region = region_of(country)
    # First of all: the library would also read a short number as one without its area code.
    if short := _short(text, region):
        return short
    reading = _single(parts.cleaned(text), country, dialled=True)
    if not reading.number:
        raise ValueError(reading.reason)
    normalised = reading.number
    number = phonenumbers.parse(normalised)
    home = region is not None and phonenumbers.country_code_for_region(region) == number.country_code
    if home and not text.startswith(("+", "0")) and written(normalised, country).lstrip("(").startswith("0"):
        # The library accepts it, but dialled here it is a local number.
        raise ValueError(_("needs an area code that begins with 0"))
    if home and number.country_code == _NORTH_AMERICA:
        home = phonenumbers.region_code_for_number(number) in (region, None)
    dear = (phonenumbers.PhoneNumberType.PREMIUM_RATE, phonenumbers.PhoneNumberType.SHARED_COST)
    return ExternalNumber(normalised, international=not home, surcharged=phonenumbers.number_type(number) in dear)


def _short(text: str, region: str | None) -> ExternalNumber | None:
    if region is None or not text.isascii() or not text.isdecimal():
        return None
    number = phonenumbers.PhoneNumber(
        national_number=int(text), country_code=phonenumbers.country_code_for_region(region)
    )
    if not phonenumbers.is_valid_short_number_for_region(number, region):
        return None
    cost = phonenumbers.expected_cost_for_region(number, region)
    return ExternalNumber(text, surcharged=cost == phonenumbers.ShortNumberCost.PREMIUM_RATE)


def found_in(text: str, number: str, country: str | None = None) -> bool:
    """Whether a number has the typed part, in any notation."""
    digits = parts.digits_of(number) or number
    return any(part in digits for part in search_parts(text, country))
