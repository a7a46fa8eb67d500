"""Amounts as files write them: `1234.5`, `1,234.56`, `1.234,56`, `12,50`, `4.00-`, `(7.00)`, `7,00 EUR`."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from typing import NamedTuple

from svc_tui.interface.money import amount

_MINUS = "\\-\u2212\u2013"
#: A currency before or behind an amount.
_CURRENCY = r"(?:[A-Z]{3}|[$€£¥₹]|Fr\.|kr\.?)"
_WRAPPED = re.compile(
    rf"(?P<open>\()?\s*(?P<before>[+{_MINUS}])?\s*{_CURRENCY}?\s*(?P<sign>[+{_MINUS}])?\s*"
    rf"(?P<number>\d[\d.,'’ \u00a0\u202f]*|[.,]\d+)\s*{_CURRENCY}?\s*(?P<after>[+{_MINUS}])?\s*(?P<close>\))?"
)
#: Separators of groups that are never before the decimals.
_SPACES = re.compile(r"(?<=\d)['’ \u00a0\u202f](?=\d{3}(?!\d))")
#: Digits in groups of three, in India of two before the last one.
_GROUPED = {sign: re.compile(rf"[1-9]\d{{0,2}}(?:[{sign}]\d{{2,3}})*[{sign}]\d{{3}}") for sign in ",."}
_OTHER = {",": ".", ".": ","}


class ReadAmount(NamedTuple):
    """An amount, and what its text shows about its file.

    `decimals` is the sign before decimals that it uses or must have, empty where it shows none. With `doubt`, its only
    sign (`1,234`, `1.234`) is before three decimals as well as within thousands: `value` is with decimals then.
    """

    value: Decimal
    decimals: str = ""
    doubt: str = ""


def read_amount(text: str) -> ReadAmount | None:
    """The amount of a text in any of the usual forms; None when it is none."""
    if (found := amount(text)) is not None and "e" not in text.lower():
        sign = "." if "." in text else ""
        doubtful = bool(sign) and _GROUPED[sign].fullmatch(text.strip().lstrip("+-")) is not None
        return ReadAmount(found, "" if doubtful else sign, sign if doubtful else "")
    parts = _WRAPPED.fullmatch(text.strip())
    if parts is None:
        return None
    signs = [parts[name] for name in ("before", "sign", "after") if parts[name]]
    if bool(parts["open"]) != bool(parts["close"]) or len(signs) + bool(parts["open"]) > 1:
        return None
    read = _number(_SPACES.sub("", parts["number"].strip()))
    negative = bool(parts["open"]) or bool(signs and signs[0] != "+")
    return read._replace(value=-read.value) if read is not None and negative else read


def _number(text: str) -> ReadAmount | None:
    """The number of digits with points and commas."""
    used = Counter(sign for sign in text if sign in _OTHER)
    if len(used) == 2:
        decimals = max(used, key=text.rfind)
        whole, _, part = text.rpartition(decimals)
        if used[decimals] > 1 or not part.isdecimal() or not _GROUPED[_OTHER[decimals]].fullmatch(whole):
            return None
        return _read(whole.replace(_OTHER[decimals], ""), part, decimals)
    if not used:
        return _read(text, "")
    ((sign, times),) = used.items()
    grouped = _GROUPED[sign].fullmatch(text) is not None
    if times > 1:
        return _read(text.replace(sign, ""), "", _OTHER[sign]) if grouped else None
    whole, _, part = text.partition(sign)
    read = _read(whole or "0", part, sign)
    return read._replace(decimals="", doubt=sign) if read is not None and grouped else read


def _read(whole: str, part: str, decimals: str = "") -> ReadAmount | None:
    found = amount(f"{whole}.{part or 0}") if whole.isdecimal() and (part.isdecimal() or not part) else None
    return None if found is None else ReadAmount(found, decimals)


class Doubts:
    """What a whole file shows about its sign before decimals, for the amounts that one alone does not decide."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def see(self, read: ReadAmount) -> None:
        if read.decimals:
            self._seen[read.decimals] += 1

    def factor(self, doubt: str) -> int | None:
        """By what the amounts in doubt are multiplied: 1 with decimals, 1000 within thousands; None if still in doubt.

        Amounts with a point have decimals where nothing in the file shows another form: programs write them so.
        """
        if len(self._seen) == 2:
            return None
        if not self._seen:
            return 1 if doubt == "." else None
        return 1 if doubt in self._seen else 1000
