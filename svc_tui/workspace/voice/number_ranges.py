"""Several DDI numbers typed at once: ranges, a first number with a size, or a list, each number with its problem."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from svc_tui.interface.telephone_numbers import read_number, written
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text

#: Most numbers that are created at once.
MOST_NUMBERS = 1_000
#: `210996100-119`, `210996100–210996119`, `210996100 to 119`, `210996100..119`.
_RANGE = re.compile(r"(?P<first>.+?)\s*(?:[-‐-―−]|\.\.+|…|\bto\b|\bbis\b)\s*(?P<last>\+?[\d\s]+)")
#: `210996100 x 20`, `210996100 * 20`, `210996100 size 20`; `210996100;20` as a spreadsheet copies it.
_SIZE = re.compile(r"(?P<first>.+?)\s*(?:[x×*]|\bsize\b|[;,\t])\s*(?P<size>\d{1,6})", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\n;,\t]")


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """A number in E.164, or a text that is none with its `problem`."""

    number: str
    problem: str = ""


def typed_numbers(text: str, country: str | None, taken: Collection[str] = ()) -> list[TypedNumber]:
    """The numbers of a text in the notation of a country. Those that are `taken`, or twice in the text, have a problem.

    ValueError, with a sentence, for more than `MOST_NUMBERS`.
    """
    found: list[TypedNumber] = []
    seen: set[str] = set()
    for line in filter(None, map(str.strip, text.split("\n"))):
        for each in _of_line(line, country):
            if not each.problem and each.number in seen:
                each = replace(each, problem=_("is in the list twice"))
            elif not each.problem and each.number in taken:
                each = replace(each, problem=_("exists already"))
            seen.add(each.number)
            found.append(each)
            if len(found) > MOST_NUMBERS:
                most = number_text(MOST_NUMBERS)
                raise ValueError(_("At most {most} numbers are created at once.").format(most=most))
    return found


def summary(numbers: Sequence[TypedNumber], country: str | None) -> tuple[str, str]:
    """How many numbers can be created with the first and last one, and the first problem; each empty without one."""
    right = [each.number for each in numbers if not each.problem]
    amount = counted(len(right), "number")
    if len(right) > 1:
        amount = _("{amount}: {first} to {last}").format(
            amount=amount, first=written(right[0], country), last=written(right[-1], country)
        )
    wrong = next((each for each in numbers if each.problem), None)
    return amount if numbers else "", f"{written(wrong.number, country)} {wrong.problem}" if wrong else ""


def _of_line(line: str, country: str | None) -> Iterator[TypedNumber]:
    """The numbers of one line: a range, a first number with a size, one number, or several with commas between them."""
    if (size := _SIZE.fullmatch(line)) and (first := _right(size["first"], country)):
        yield from _counted(first, int(size["size"]))
    elif (bounds := _RANGE.fullmatch(line)) and (first := _right(bounds["first"], country)):
        yield from _between(line, first, _last(first, bounds["last"], country))
    elif not (whole := read_number(line, country)).number and len(parts := _SEPARATORS.split(line)) > 1:
        for part in filter(None, map(str.strip, parts)):
            yield from _of_line(part, country)
    else:
        yield TypedNumber(whole.number) if whole.outcome == "right" else TypedNumber(line, whole.advice)


def _right(text: str, country: str | None) -> str:
    """A complete number in E.164; empty for another text."""
    reading = read_number(text.strip(), country)
    return reading.number if reading.outcome == "right" else ""


def _last(first: str, text: str, country: str | None) -> str:
    """The last number of a range: its end, which replaces that of the first one, or the whole number."""
    digits = "".join(text.split())
    if not digits.startswith("+") and len(digits) < len(first) - 1:
        short = first[: -len(digits)] + digits
        # A whole number without its country code is longer than the end of one.
        return _right(text, country) or short
    return _right(text, country)


def _between(line: str, first: str, last: str) -> Iterator[TypedNumber]:
    if len(first) != len(last) or int(last) < int(first):
        yield TypedNumber(line, _("is no range: the last number must follow the first one"))
    else:
        yield from _counted(first, int(last) - int(first) + 1)


def _counted(first: str, size: int) -> Iterator[TypedNumber]:
    """So many numbers from the first one on."""
    if not size:
        yield TypedNumber(first, _("is a range of no number"))
    for number in range(int(first), int(first) + size):
        text = f"+{number}"
        reading = read_number(text)
        yield TypedNumber(text, "" if reading.outcome == "right" else reading.advice)
