"""What stands in the way of something, each with the key that goes there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.widget import Widget

from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.dialogs.box import Box, plain


@dataclass(frozen=True, slots=True)
class Hindrance:
    """One condition that does not hold. Without a `key` it cannot be gone to; `place` is given back for the key."""

    said: str
    key: str = ""
    place: str = ""


class Hindrances(Box[str]):
    """Gives back the place of the hindrance whose key was pressed, None when it was closed."""

    HINT = "the key in front goes there"
    KEYS = (CLOSE.labelled("Back"),)

    def __init__(self, title: str, hindrances: Sequence[Hindrance], said: str) -> None:
        super().__init__(title)
        self._hindrances = hindrances
        self._said = said

    def body(self) -> Iterable[Widget]:
        yield plain(self._said)
        yield plain("")
        for item in self._hindrances:
            yield plain(f"  {item.key or ' '}  {item.said}")
        yield plain("")

    async def take_key(self, event: events.Key) -> bool:
        for item in self._hindrances:
            if item.key and event.character == item.key:
                self.dismiss(item.place)
                return True
        return await super().take_key(event)
