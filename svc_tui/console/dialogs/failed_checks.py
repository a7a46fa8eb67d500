"""Checks that failed before a deletion, each with the key that opens the records in question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.widget import Widget

from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.language import _


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that failed. `key` opens `place`; without a key there is no place."""

    sentence: str
    key: str = ""
    place: str = ""


class FailedChecks(Box[str]):
    """Returns the place of the check whose key was pressed, None when closed."""

    HINT = _("the key before a check opens its records")
    KEYS = (CLOSE.labelled(_("Back")),)

    def __init__(self, title: str, checks: Sequence[FailedCheck], introduction: str) -> None:
        super().__init__(title)
        self._checks = checks
        self._introduction = introduction

    def body(self) -> Iterable[Widget]:
        yield plain(self._introduction)
        yield plain("")
        for item in self._checks:
            yield plain(f"  {item.key or ' '}  {item.sentence}")
        yield plain("")

    async def take_key(self, event: events.Key) -> bool:
        for item in self._checks:
            if item.key and event.character == item.key:
                self.dismiss(item.place)
                return True
        return await super().take_key(event)
