"""Choices of a picker, and the limits of the records that a field accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.language import order


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry. With a `reason` it is greyed out and cannot be chosen."""

    value: str
    label: str
    detail: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceLimits:
    """The query for the records that a field accepts, and why one of them is unfit; empty when it fits."""

    query: Mapping[str, Any] = field(default_factory=dict)
    unfit_reason: Callable[[RecordData], str] = lambda row: ""


def matching(choices: Iterable[Choice], text: str) -> list[Choice]:
    """The choices with every word of a text, best first: those with the words in their label, at the begin of a word.

    If there are none, those whose label has the letters of the text in this order.
    """
    every, words = list(choices), _folded(text).split()
    ranked = [(ranks, choice) for choice in every if None not in (ranks := [_rank(choice, word) for word in words])]
    if ranked:
        return [choice for _, choice in sorted(ranked, key=lambda pair: sum(rank or 0 for rank in pair[0]))]
    return [choice for choice in every if _has_letters(_folded(choice.label), "".join(words))]


def _rank(choice: Choice, word: str) -> int | None:
    """How well a choice has a word, 0 the best; None when it does not."""
    for rank, text in ((0, choice.label), (2, choice.detail)):
        folded = _folded(text)
        if word in folded:
            return rank if any(each.startswith(word) for each in _words(folded)) else rank + 1
    return None


def _words(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text).split()


def _has_letters(text: str, letters: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


#: Every key asks for all choices of a dialog again.
_folded = lru_cache(maxsize=1024)(order)
