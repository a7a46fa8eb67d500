"""Regular expressions of users, searched within a time limit, so that none can block the console."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    import regex
else:
    regex = lazy_import("regex")

#: Most characters of an expression.
MOST_CHARACTERS = 200
#: Seconds that the search of one text may take. Usual expressions need some microseconds.
SECONDS = 0.2
#: Messages of the library in other words; its other ones are shown as they are.
_REASONS = {
    "missing )": _("a bracket is not closed"),
    "unterminated character set": _("a bracket is not closed"),
    "unbalanced parenthesis": _("a closing bracket has no opening bracket"),
    "nothing to repeat": _("there is nothing to repeat"),
    "bad character range": _("a range is empty"),
    "min repeat greater than max repeat": _("a range is empty"),
}


class ExpressionError(ValueError):
    """An expression that cannot be searched; the text is the reason, without a full stop."""


class TooSlow(ReadError):
    """An expression whose search of a text was ended. The list shows the sentence, as for a failed read."""


class Expression:
    """A compiled expression; ExpressionError with the reason if the text is none. Case is ignored."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise ExpressionError(
                _("it is longer than {most_characters} characters").format(most_characters=MOST_CHARACTERS)
            )
        try:
            self._pattern = regex.compile(text, regex.VERSION0 | regex.IGNORECASE | regex.FULLCASE | regex.DOTALL)
        except (regex.error, RecursionError, OverflowError, ValueError) as error:
            reason = getattr(error, "msg", str(error))
            raise ExpressionError(_REASONS.get(reason, reason)) from error

    def found_in(self, text: str) -> bool:
        """Whether a part of a text is described by the expression. TooSlow if that takes longer than SECONDS."""
        try:
            return self._pattern.search(text, timeout=SECONDS) is not None
        except TimeoutError as error:
            raise TooSlow(_("The expression takes too long to search. Simplify its repetitions.")) from error
