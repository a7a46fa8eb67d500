"""Regular expressions of dialling rules, tried on a number. Complex ones are refused, so that no trial takes long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from warnings import catch_warnings, simplefilter

from svc_tui.interface.voice.numbering import LONGEST_NUMBER
from svc_tui.language import _

#: The most ways of matching that are tried; more would take noticeably long.
_MOST_WAYS = 1_200_000
_WAYS_OF_REPEATING = LONGEST_NUMBER + 1
_TOO_COMPLEX = _("is too complex to test")
_TOKEN = re.compile(r"\\(.)|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:|\(\??|\)|\||(?:[*+?]|\{[^}]*\})[?+]?|.", re.DOTALL)
_REFERENCE = re.compile(r"[$\\](\d)")


def rewritten(expression: str, replacement: str, number: str) -> str | None:
    """The number with the first match of an expression replaced; None without a match.

    `$1` or `\\1` in the replacement is the first group. ValueError, with a sentence, for an invalid or complex
    expression, and for a result that is no number.
    """
    match = _compiled(expression).search(number)
    if match is None:
        return None
    if match.re.groups < max((int(found[1]) for found in _REFERENCE.finditer(replacement)), default=0):
        raise ValueError(_("has a replacement with an unknown group"))
    put = _REFERENCE.sub(lambda found: match[int(found[1])] or "", replacement)
    result = number[: match.start()] + put + number[match.end() :]
    if not re.fullmatch(r"\+?[0-9*#]+", result) or len(result) > LONGEST_NUMBER:
        raise ValueError(_("has a result that is not a number"))
    return result


@lru_cache(maxsize=256)
def _compiled(expression: str) -> re.Pattern[str]:
    if _ways(expression) > _MOST_WAYS:
        raise ValueError(_TOO_COMPLEX)
    try:
        with catch_warnings():
            # Without this, odd expressions print warnings into the console.
            simplefilter("ignore", FutureWarning)
            return re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(_("is not a regular expression")) from error


def _ways(expression: str) -> int:
    """The most ways of matching that a backtracking search can try. Repeated choices are refused."""
    ways = 1
    # Whether each open group has a choice; the outermost is the expression itself.
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
            # Lookaround, named groups and back references: no dialling rule needs them.
            raise ValueError(_TOO_COMPLEX)
        yield found[0]
