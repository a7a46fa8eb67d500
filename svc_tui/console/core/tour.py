"""The declaration of the tour of the demo: tasks in steps, each with a caption, keys and what must then be seen."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.console.core.keys import DialogKey


@dataclass(frozen=True, slots=True)
class ActionKey:
    """The key of an action."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """Typed characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A caption, the keys that are pressed after it, and a text that must then be on the screen."""

    caption: str
    keys: tuple[ActionKey | Text | DialogKey, ...]
    sees: str


@dataclass(frozen=True, slots=True)
class TourTask:
    """Something that a user does, in steps."""

    title: str
    steps: tuple[Step, ...]
