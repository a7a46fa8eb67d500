"""Expressions that somebody else wrote, tried on a number: never for longer than a moment, whatever they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from warnings import catch_warnings, simplefilter

from svc_tui.interface.voice.numbering import LONGEST_NUMBER

#: Ways of matching that are looked through at most; more than that can be felt.
_MOST_WAYS = 1_200_000
_WAYS_OF_REPEATING = LONGEST_NUMBER + 1
_TOO_COMPLEX = "is too complex to be tried here"
_TOKEN = re.compile(r"\\(.)|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:|\(\??|\)|\||(?:[*+?]|\{[^}]*\})[?+]?|.", re.DOTALL)
_REFERENCE = re.compile(r"[$\\](\d)")


def rewritten(expression: str, replacement: str, number: str) -> str | None:
    """What a number becomes where an expression is found in it first, or None when it is not found.

    `$1` or `\\1` in the replacement is what the first group holds. ValueError, with a sentence, for an expression that
    is none, that could take long, or whose result is no number.
    """
    match = _compiled(expression).search(number)
    if match is None:
        return None
    if match.re.groups < max((int(found[1]) for found in _REFERENCE.finditer(replacement)), default=0):
        raise ValueError("has a replacement that names a group which is not there")
    put = _REFERENCE.sub(lambda found: match[int(found[1])] or "", replacement)
    result = number[: match.start()] + put + number[match.end() :]
    if not re.fullmatch(r"\+?[0-9*#]+", result) or len(result) > LONGEST_NUMBER:
        raise ValueError("makes something of it that is no number")
    return result


@lru_cache(maxsize=256)
def _compiled(expression: str) -> re.Pattern[str]:
    if _ways(expression) > _MOST_WAYS:
        raise ValueError(_TOO_COMPLEX)
    try:
        with catch_warnings():
            # Some that are odd are warned of, on a screen that is not there for it.
            simplefilter("ignore", FutureWarning)
            return re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError("is no regular expression") from error


def _ways(expression: str) -> int:
    """How many ways of matching a backtracking search can try, at most. Repeated choices are beyond counting."""
    ways = 1
    # Whether each open group holds a choice; the outermost is the expression itself.
    groups = [False]
    before = False
    for token in _tokens(expression):
        choice = False
        match token:
            case "(" | "(?:":
                groups.append(False)
            case ")":
                choice = groups.pop() if len(groups) > 1 else False
                groups[-1] |= choice
            case "|":
                ways, groups[-1] = ways * 2, True
            case _ if token[0] in "*+?{" and not re.fullmatch(r"\{\d+\}", token):
                if before and token[0] != "?":
                    raise ValueError(_TOO_COMPLEX)
                ways *= 2 if token[0] == "?" else _WAYS_OF_REPEATING
                groups[-1] = choice = True
            case _ if token[0] == "{" and before:
                raise ValueError(_TOO_COMPLEX)
        before = choice
    return ways


def _tokens(expression: str) -> Iterator[str]:
    for found in _TOKEN.finditer(expression):
        if found[0] == "(?" or (found[1] or "") in tuple("123456789"):
            # Looking ahead or back, naming groups and referring to them: nothing that a dialling rule needs.
            raise ValueError(_TOO_COMPLEX)
        yield found[0]
