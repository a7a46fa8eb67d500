"""A command or a group of commands, as the parser lists it."""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A command or a group of commands. `target` is its module and function, `details` follow in its own help."""

    group: str
    name: str
    target: str
    summary: str
    details: str = ""

    @property
    def help(self) -> str:
        return f"{self.summary}\n\n{self.details}".strip()
