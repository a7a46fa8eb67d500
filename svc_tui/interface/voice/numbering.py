"""Internal numbers of a CloudPBX: rules between its settings, and the numbers that they allow (4.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.telephone_numbers import e164, is_emergency
from svc_tui.language import _

_OUT, _TRUNK, _ONE, _MORE = "outgoingPrefix", "externalTrunkId", "numberingPrefix", "numberingPrefixes"
_DIGITS, _LENGTH, _PLAN = "numberingDigits", "numberingDigitsLength", "numberingPlan"

#: The settings of the numbering plan.
PLAN = (_PLAN, _ONE, _MORE, _DIGITS, _LENGTH)
#: The most unassigned numbers in one response.
MOST_FREE = 1000
#: Longest number, dialled or rewritten, in characters.
LONGEST_NUMBER = 32


@dataclass(frozen=True, slots=True)
class NumberingRule:
    """A rule between the values of `key` and `needs`: `broken` is the reason why they break it, `code` the refusal.

    `also` are further fields on which the rule depends.
    """

    key: str
    needs: str
    broken: Callable[[Mapping[str, Any]], str]
    code: Code = Code.VALIDATION
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VoiceContradiction:
    """A broken rule: the field, the field that it contradicts, and the reason."""

    key: str
    needs: str
    sentence: str
    code: Code


def _given(values: Mapping[str, Any], wire: str) -> bool:
    return values.get(wire) not in (None, "", [])


def _together(key: str, needs: str, sentence: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda values: sentence if _given(values, key) and not _given(values, needs) else ""


def _begins_outside(wire: str, *, one: bool = False) -> Callable[[Mapping[str, Any]], str]:
    """Internal numbers that would begin with the outgoing prefix: dialled, either number could follow."""

    def broken(values: Mapping[str, Any]) -> str:
        if not _given(values, _OUT):
            return ""
        out = str(values[_OUT])
        for prefix, digits in _own_ranges(values, wire):
            if prefix == out:
                return _("is the same as the outgoing prefix") if one else _("include the outgoing prefix")
            if prefix.startswith(out) or (out.startswith(prefix) and len(out) <= (digits or LONGEST_NUMBER)):
                return _("has numbers that begin with the outgoing prefix {out}: {prefix}…").format(
                    out=out, prefix=max(prefix, out, key=len)
                )
        return ""

    return broken


def _clashes_with_plan(wire: str) -> Callable[[Mapping[str, Any]], str]:
    """Ranges of the plan that begin like those of the prefixes and have another length."""

    def broken(values: Mapping[str, Any]) -> str:
        of_prefixes = [(prefix, digits) for prefix, digits in _own_ranges(values, wire) if digits]
        pairs = product(of_prefixes, ((prefix, digits) for prefix, digits in _own_ranges(values, _PLAN) if digits))
        return next(filter(None, map(range_conflict, pairs)), "")

    return broken


def _own_ranges(values: Mapping[str, Any], wire: str) -> list[tuple[str, int | None]]:
    """The prefixes of one setting, each with the digits of its numbers; None where these are not set."""
    found = values.get(wire)
    if wire == _PLAN:
        entries = [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []
        return [(str(each["prefix"]), count(each.get("digits"))) for each in entries if _given(each, "prefix")]
    prefixes = found if isinstance(found, list) else [found] if _given(values, wire) else []
    return [(str(prefix), count(values.get(_DIGITS))) for prefix in prefixes]


RULES: tuple[NumberingRule, ...] = (
    NumberingRule(_TRUNK, _OUT, _together(_TRUNK, _OUT, _("a trunk requires an outgoing prefix"))),
    NumberingRule(_ONE, _DIGITS, _together(_ONE, _DIGITS, _("a numbering prefix requires the number of digits"))),
    NumberingRule(_MORE, _DIGITS, _together(_MORE, _DIGITS, _("numbering prefixes require the number of digits"))),
    NumberingRule(
        _LENGTH,
        _DIGITS,
        lambda values: (
            _("a fixed length requires the number of digits")
            if values.get(_LENGTH) == "fixed" and not _given(values, _DIGITS)
            else ""
        ),
    ),
    NumberingRule(_ONE, _OUT, _begins_outside(_ONE, one=True), Code.SAME_PREFIXES, (_DIGITS,)),
    NumberingRule(_MORE, _OUT, _begins_outside(_MORE), Code.SAME_PREFIXES, (_DIGITS,)),
    NumberingRule(_PLAN, _OUT, _begins_outside(_PLAN), Code.SAME_PREFIXES),
    NumberingRule(_PLAN, _ONE, _clashes_with_plan(_ONE), also=(_DIGITS,)),
    NumberingRule(_PLAN, _MORE, _clashes_with_plan(_MORE), also=(_DIGITS,)),
)


def is_missing_digits(update: Mapping[str, Any]) -> bool:
    """Whether an update has prefixes without the number of digits, which 4.7 requires beside them in each request."""
    return _given(update, _MORE) and not _given(update, _DIGITS)


def with_digits(update: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """An update that has the number of digits of these settings beside its prefixes."""
    return {
        **update,
        **({_DIGITS: settings.get(_DIGITS)} if is_missing_digits(update) and _DIGITS not in update else {}),
    }


def contradictions(values: Mapping[str, Any]) -> list[VoiceContradiction]:
    """The rules that these settings break. An update is checked together with the current settings (4.7)."""
    return _broken(RULES, values)


def new_contradictions(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[VoiceContradiction]:
    """The rules that a change breaks. Rules of unchanged fields are left out, even when they are broken."""

    def changed(rule: NumberingRule) -> bool:
        return any(old.get(wire) != new.get(wire) for wire in (rule.key, rule.needs, *rule.also))

    return _broken(filter(changed, RULES), new)


def _broken(rules: Iterable[NumberingRule], values: Mapping[str, Any]) -> list[VoiceContradiction]:
    found = ((rule, rule.broken(values)) for rule in rules)
    return [VoiceContradiction(rule.key, rule.needs, sentence, rule.code) for rule, sentence in found if sentence]


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Internal numbers with one prefix. `digits` includes the prefix; unless `fixed`, numbers may be shorter."""

    prefix: str
    digits: int
    fixed: bool = True
    description: str = ""

    def holds(self, number: str) -> bool:
        """Whether a number is in the range."""
        if not (number.isascii() and number.isdecimal() and number.startswith(self.prefix)):
            return False
        return len(number) == self.digits if self.fixed else 0 < len(number) <= self.digits

    def begins(self, digits: str) -> bool:
        """Whether these digits are the beginning of a number in the range."""
        fits = digits.startswith(self.prefix) or self.prefix.startswith(digits)
        return fits and digits.isdecimal() and len(self.prefix) <= self.digits and len(digits) < self.digits

    @property
    def bounds(self) -> str:
        """The range as text: `8000 to 8999`; without shorter numbers."""
        open = max(0, self.digits - len(self.prefix))
        first, last = self.prefix + "0" * open, self.prefix + "9" * open
        return first if first == last else _("{first} to {last}").format(first=first, last=last)

    def numbers(self) -> Iterator[str]:
        """The numbers of full length, in order."""
        open = self.digits - len(self.prefix)
        if open < 0:
            return
        for number in range(10**open):
            yield self.prefix + (str(number).zfill(open) if open else "")


def range_conflict(plan: Sequence[tuple[str, int]]) -> str:
    """The reason why ranges, each a prefix and its digits, cannot exist together; empty when they can.

    A number of one range must not be the beginning of a longer number of another: after the short one it would be
    unknown whether more digits follow.
    """
    for (short, few), (long, many) in permutations(plan, 2):
        if few < many and (short.startswith(long) or long.startswith(short)):
            return _("has ranges that contradict each other: {short} with {few} digits, {long} with {many}").format(
                short=short, few=few, long=long, many=many
            )
    return ""


def count(value: object) -> int | None:
    """A number of digits; None for any other value."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= LONGEST_NUMBER else None


def ranges(settings: Mapping[str, Any]) -> list[NumberRange]:
    """The internal numbers that the settings of a CloudPBX allow; empty when no setting is about them."""
    plan = settings.get(_PLAN)
    found = [
        NumberRange(str(entry["prefix"]), digits, description=str(entry.get("description") or ""))
        for entry in (plan if isinstance(plan, list) else ())
        if isinstance(entry, Mapping) and _given(entry, "prefix") and (digits := count(entry.get("digits")))
    ]
    digits, fixed = count(settings.get(_DIGITS)), settings.get(_LENGTH) != "variable"
    if digits:
        found += [NumberRange(prefix, digits, fixed) for prefix in _prefixes(settings)]
    return list(dict.fromkeys(found))


def _prefixes(settings: Mapping[str, Any]) -> list[str]:
    prefixes = [settings[_ONE]] if _given(settings, _ONE) else []
    more = settings.get(_MORE)
    prefixes += more if isinstance(more, list) else []
    if prefixes or settings.get(_PLAN):
        return [str(prefix) for prefix in prefixes]
    # Without a prefix, internal numbers begin with any digit except that of the outgoing prefix.
    outgoing = str(settings.get(_OUT, ""))
    return [digit for digit in "0123456789" if not outgoing.startswith(digit)]


def allows(settings: Mapping[str, Any], number: str) -> bool:
    """Whether a number can be an internal one; any digits can when no setting is about them."""
    found = ranges(settings)
    return any(each.holds(number) for each in found) if found else number.isascii() and number.isdecimal()


def unassignable(settings: Mapping[str, Any], number: str, country: str | None) -> str:
    """Why a number can be no extension, as a sentence: it is not in the plan, or an emergency number of the country.

    Dialled, it would call the emergency services; empty when it can.
    """
    if is_emergency(number, country):
        return _("is an emergency number")
    if allows(settings, number):
        return ""
    return _("is not in the numbering plan ({plan})").format(plan=", ".join(each.bounds for each in ranges(settings)))


def called_number(settings: Mapping[str, Any], text: str, country: str | None) -> str:
    """A number that calls are sent to, as it is stored: an internal one as it is, an external one in E.164.

    ValueError, with a sentence, for an emergency number, which no machine may call, and for a text that is no number.
    """
    number = text.strip()
    if is_emergency(number, country):
        raise ValueError(_("is an emergency number"))
    return number if ranges(settings) and allows(settings, number) else e164(number, country)


def lost(old: Mapping[str, Any], new: Mapping[str, Any], numbers: Iterable[str]) -> list[str]:
    """The numbers that the old settings allow and the new ones do not."""
    return [number for number in numbers if allows(old, number) and not allows(new, number)]


def left_out(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[NumberRange]:
    """The ranges that new settings remove or change: only in these can numbers be lost."""
    kept = {(each.prefix, each.digits, each.fixed) for each in ranges(new)}
    return [each for each in ranges(old) if (each.prefix, each.digits, each.fixed) not in kept]


def free_numbers(
    settings: Mapping[str, Any], used: frozenset[str] | set[str], country: str | None = None
) -> Iterator[str]:
    """The unassigned internal numbers, range by range, each once, without the emergency numbers of the country."""
    found: set[str] = set()
    for each in ranges(settings):
        for number in each.numbers():
            if number not in used and number not in found and not is_emergency(number, country):
                found.add(number)
                yield number
