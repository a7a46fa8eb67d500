"""The prompt in place of the status line, for places and filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.widgets.input import Selection

from svc_tui.console.widgets.line_input import LineInput

#: The marks of the prompts for places and for filters.
GO, FILTER = ":", "/"


def _no_completions(_: str) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What is asked for in the prompt: its mark, and the text that it begins with, which typing replaces.

    `complete` returns the completions of a typed text, `history` has earlier texts, the newest last.
    """

    mark: str
    text: str = ""
    complete: Callable[[str], Sequence[str]] = _no_completions
    history: Sequence[str] = ()


class Prompt(LineInput):
    """A line to type into. `typed` gets its mark and each text; `closed` the accepted text, or None if it is cancelled.

    `verb_of` returns the action of a key: `accept`, `cancel`, `complete` and `complete_back` through the candidates,
    `older` and `newer` through the history; empty for a key that edits the line.
    """

    DEFAULT_CSS = """
    Prompt { padding: 0 1; background: $surface; }
    """

    def __init__(
        self,
        verb_of: Callable[[events.Key], str],
        typed: Callable[[str, str], None],
        closed: Callable[[str, str | None], None],
    ) -> None:
        super().__init__(id="prompt", select_on_focus=False)
        self._verb_of, self._when_typed, self._when_closed = verb_of, typed, closed
        self.display = False
        self._request = PromptRequest("")
        self._at = 0
        #: The text as it was typed: completions replace it without changing what they complete.
        self.stem = ""
        self._completion = -1

    @property
    def is_open(self) -> bool:
        return self.display

    @property
    def mark(self) -> str:
        """The mark in front of the text, which cannot be deleted; empty before the prompt was first opened."""
        return self._request.mark

    def open(self, request: PromptRequest) -> None:
        """Show the prompt."""
        self._request = request
        self._at = len(request.history)
        self.stem, self._completion = request.text, -1
        self.value = request.mark + request.text
        self.display = True
        # At once, because characters that are typed right after the key belong to the prompt.
        self.screen.set_focus(self)
        self.cursor_position = len(self.value)
        if request.text:
            self.selection = Selection(len(request.mark), len(self.value))

    @property
    def text(self) -> str:
        return self.value.removeprefix(self.mark)

    @property
    def candidates(self) -> Sequence[str]:
        """The completions of the typed text."""
        return self._request.complete(self.stem)

    def delete(self, start: int, end: int) -> None:
        """Delete a part of the text but not the mark."""
        start, end = sorted((start, end))
        super().delete(max(start, len(self.mark)), max(end, len(self.mark)))

    def action_delete_left(self) -> None:
        """Delete a character; without text, close the prompt."""
        if self.value == self.mark:
            self._finish(None)
        else:
            super().action_delete_left()

    def watch_value(self, value: str) -> None:
        if self.is_open and not value.startswith(self.mark):
            self._finish(None)
        elif self.is_open:
            if self._completion < 0 or self.text != self.candidates[self._completion]:
                self.stem, self._completion = self.text, -1
            self._when_typed(self.mark, self.text)

    def take_key(self, event: events.Key) -> bool:
        """Accept, cancel, complete or leaf through the history; False for a key that edits the text."""
        verb = self._verb_of(event)
        if verb:
            self._do(verb)
        return bool(verb)

    def _do(self, verb: str) -> None:
        if verb == "accept":
            self._finish(self.text)
        elif verb == "cancel":
            self._finish(None)
        elif verb in ("complete", "complete_back"):
            self._cycle(1 if verb == "complete" else -1)
        elif history := self._request.history:
            self._at = max(0, min(len(history), self._at + (-1 if verb == "older" else 1)))
            self._put(history[self._at] if self._at < len(history) else "")

    def _cycle(self, by: int) -> None:
        """Complete with the next or previous candidate; after the last one comes the first."""
        candidates = self.candidates
        if candidates:
            first = self._completion < 0
            self._completion = (0 if by > 0 else -1) if first else self._completion + by
            self._completion %= len(candidates)
            self._put(candidates[self._completion])

    def _put(self, text: str) -> None:
        self.value = self.mark + text
        self.cursor_position = len(self.value)

    def _finish(self, text: str | None) -> None:
        self.display = False
        self._when_closed(self.mark, text)
