"""Internal numbers of a CloudPBX: what its settings demand of each other, and the numbers that they allow (4.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from svc_tui.interface.errors import Code

_OUT, _TRUNK, _ONE, _MORE = "outgoingPrefix", "externalTrunkId", "numberingPrefix", "numberingPrefixes"
_DIGITS, _LENGTH = "numberingDigits", "numberingDigitsLength"

#: The settings that say which internal numbers there are.
PLAN = ("numberingPlan", "numberingPrefix", "numberingPrefixes", _DIGITS, _LENGTH)
#: Free internal numbers that are told at once.
MOST_FREE = 1000
#: Longest number that is dialled or results, in characters.
LONGEST_NUMBER = 32


@dataclass(frozen=True, slots=True)
class Rule:
    """`key` cannot have its value because of that of `needs`; `holds` says whether it can. `code` refuses it."""

    key: str
    needs: str
    holds: Callable[[Mapping[str, Any]], bool]
    sentence: str
    code: Code = Code.VALIDATION


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken rule: the field, the one that it contradicts, and the sentence that says so."""

    key: str
    needs: str
    sentence: str
    code: Code


def _given(values: Mapping[str, Any], wire: str) -> bool:
    return values.get(wire) not in (None, "", [])


def _together(key: str, needs: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda values: not _given(values, key) or _given(values, needs)


def _apart(key: str) -> Callable[[Mapping[str, Any]], bool]:
    def holds(values: Mapping[str, Any]) -> bool:
        if not _given(values, _OUT) or not _given(values, key):
            return True
        inside = values[key] if isinstance(values[key], list) else [values[key]]
        return str(values[_OUT]) not in {str(prefix) for prefix in inside}

    return holds


RULES: tuple[Rule, ...] = (
    Rule(_TRUNK, _OUT, _together(_TRUNK, _OUT), "a trunk needs an outgoing prefix first"),
    Rule(_ONE, _DIGITS, _together(_ONE, _DIGITS), "a numbering prefix needs the number of digits"),
    Rule(_MORE, _DIGITS, _together(_MORE, _DIGITS), "numbering prefixes need the number of digits"),
    Rule(
        _LENGTH,
        _DIGITS,
        lambda values: values.get(_LENGTH) != "fixed" or _given(values, _DIGITS),
        "a fixed length needs the number of digits",
    ),
    Rule(_ONE, _OUT, _apart(_ONE), "is the outgoing prefix already", Code.SAME_PREFIXES),
    Rule(_MORE, _OUT, _apart(_MORE), "have the outgoing prefix among them", Code.SAME_PREFIXES),
)


def broken(values: Mapping[str, Any]) -> list[Broken]:
    """Every rule that these settings break, by wire name; what is missing has no value.

    An update is judged with what is there already, so that what it needs may have come earlier (4.7).
    """
    return [Broken(rule.key, rule.needs, rule.sentence, rule.code) for rule in RULES if not rule.holds(values)]


def broken_by(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Broken]:
    """The rules that a change breaks; one that was broken before, and is not touched, hinders nobody."""
    return [each for each in broken(new) if any(old.get(wire) != new.get(wire) for wire in (each.key, each.needs))]


@dataclass(frozen=True, slots=True)
class Range:
    """Internal numbers of one prefix. `digits` counts those of the prefix too; unless `fixed` there may be fewer."""

    prefix: str
    digits: int
    fixed: bool = True
    description: str = ""

    def holds(self, number: str) -> bool:
        """Whether a number is one of these."""
        if not (number.isascii() and number.isdecimal() and number.startswith(self.prefix)):
            return False
        return len(number) == self.digits if self.fixed else 0 < len(number) <= self.digits

    def begins(self, digits: str) -> bool:
        """Whether these digits are too few, but could become one of these numbers."""
        fits = digits.startswith(self.prefix) or self.prefix.startswith(digits)
        return fits and digits.isdecimal() and len(self.prefix) <= self.digits and len(digits) < self.digits

    @property
    def bounds(self) -> str:
        """The range as people read it: `8000 to 8999`; without the numbers that have fewer digits."""
        open = max(0, self.digits - len(self.prefix))
        first, last = self.prefix + "0" * open, self.prefix + "9" * open
        return first if first == last else f"{first} to {last}"

    def numbers(self) -> Iterator[str]:
        """Its numbers of full length, in order."""
        open = self.digits - len(self.prefix)
        if open < 0:
            return
        for number in range(10**open):
            yield self.prefix + (str(number).zfill(open) if open else "")


def clash(plan: Sequence[tuple[str, int]]) -> str:
    """Why ranges, each a prefix and its digits, cannot stand side by side; empty when they can.

    A number that is whole in one range must not be the beginning of a longer one in another: whoever dials the short
    one would wait, or be put through before the long one is dialled.
    """
    for (short, few), (long, many) in permutations(plan, 2):
        if few < many and (short.startswith(long) or long.startswith(short)):
            return f"has ranges that contradict: {short} with {few} digits, {long} with {many}"
    return ""


def count(value: object) -> int | None:
    """A number of digits; None for what is none, whoever sent it."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= LONGEST_NUMBER else None


def ranges(settings: Mapping[str, Any]) -> list[Range]:
    """The internal numbers that the `cloudpbx` object of a CloudPBX allows; empty when its settings tell nothing."""
    plan = settings.get("numberingPlan")
    found = [
        Range(str(entry["prefix"]), digits, description=str(entry.get("description") or ""))
        for entry in (plan if isinstance(plan, list) else ())
        if isinstance(entry, Mapping) and _given(entry, "prefix") and (digits := count(entry.get("digits")))
    ]
    digits, fixed = count(settings.get(_DIGITS)), settings.get(_LENGTH) != "variable"
    if digits:
        found += [Range(prefix, digits, fixed) for prefix in _prefixes(settings)]
    return list(dict.fromkeys(found))


def _prefixes(settings: Mapping[str, Any]) -> list[str]:
    prefixes = [settings[_ONE]] if _given(settings, _ONE) else []
    more = settings.get(_MORE)
    prefixes += more if isinstance(more, list) else []
    if prefixes or settings.get("numberingPlan"):
        return [str(prefix) for prefix in prefixes]
    # Without a prefix internal numbers begin with any digit that does not lead outside.
    way_out = str(settings.get(_OUT, ""))
    return [digit for digit in "0123456789" if not way_out.startswith(digit)]


def allows(settings: Mapping[str, Any], number: str) -> bool:
    """Whether a number can be an internal one; where the settings tell nothing, any digits can."""
    found = ranges(settings)
    return any(each.holds(number) for each in found) if found else number.isascii() and number.isdecimal()


def lost(old: Mapping[str, Any], new: Mapping[str, Any], numbers: Iterable[str]) -> list[str]:
    """Which of these numbers fall out of the plan with new settings; those that were outside before do not."""
    return [number for number in numbers if allows(old, number) and not allows(new, number)]


def left_out(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Range]:
    """The ranges that new settings do not have as they were: only in these can numbers be lost."""
    kept = {(each.prefix, each.digits, each.fixed) for each in ranges(new)}
    return [each for each in ranges(old) if (each.prefix, each.digits, each.fixed) not in kept]


def free_numbers(settings: Mapping[str, Any], used: frozenset[str] | set[str]) -> Iterator[str]:
    """The internal numbers that nobody has, range by range, each once."""
    seen: set[str] = set()
    for each in ranges(settings):
        for number in each.numbers():
            if number not in used and number not in seen:
                seen.add(number)
                yield number
