"""The key map: which key performs which action in which view. Pure; tested without a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

#: Keys that multiplexers, editors and terminals take for themselves: never a default, and refused with a warning.
TAKEN = frozenset({"ctrl+a", "ctrl+b", "ctrl+s", "ctrl+q", "ctrl+j", "ctrl+m", "ctrl+i", "ctrl+h"})

_NAMES = {
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "ctrl+@": "ctrl+space",
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "exclamation_mark": "!",
    "asterisk": "*",
    "minus": "-",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}


def key_name(key: str, character: str | None = None) -> str:
    """The name under which a key stands in the map: the character itself where it prints, `esc`, `ctrl+p` otherwise."""
    if key == "space" or character == " ":
        return "space"
    if character and len(character) == 1 and character.isprintable():
        return character
    return _NAMES.get(key, key)


@dataclass(frozen=True, slots=True)
class Bound:
    """One action as the key map knows it: its default keys and the views in which they work (empty: all)."""

    name: str
    keys: tuple[str, ...]
    views: frozenset[str] = frozenset()
    resource: str = ""

    def overlaps(self, other: Bound) -> bool:
        """Whether neither goes before the other in some view: what belongs to a resource goes before the general."""
        same_views = bool(self.views & other.views) or not (self.views or other.views)
        return self.resource == other.resource and same_views


class KeyMap:
    """Default keys changed by the user's configuration (`action name -> keys, comma separated`)."""

    def __init__(self, bound: Iterable[Bound], changes: Mapping[str, str] | None = None) -> None:
        self.troubles: list[str] = []
        self._bound: dict[str, Bound] = {}
        changes = dict(changes or {})
        for item in bound:
            wanted = changes.pop(item.name, None)
            keys = item.keys if wanted is None else self._parsed(item.name, wanted)
            self._bound[item.name] = Bound(item.name, keys, item.views, item.resource)
        self.troubles += [f"key map: there is no action “{name}”" for name in changes]
        self._find_conflicts()

    def _parsed(self, name: str, wanted: str) -> tuple[str, ...]:
        keys = tuple("," if part == "comma" else part for part in wanted.replace(" ", "").split(",") if part)
        for key in keys:
            if key in TAKEN:
                self.troubles.append(f"key map: {key} for “{name}” is often taken by terminals and multiplexers")
        return keys

    def _find_conflicts(self) -> None:
        items = list(self._bound.values())
        for index, first in enumerate(items):
            for second in items[index + 1 :]:
                shared = set(first.keys) & set(second.keys)
                if shared and first.overlaps(second):
                    key = sorted(shared)[0]
                    self.troubles.append(
                        f"key map: {key} is both “{first.name}” and “{second.name}”; the first one works"
                    )

    def keys(self, name: str) -> tuple[str, ...]:
        """The keys of an action, in order; empty when it has none."""
        item = self._bound.get(name)
        return item.keys if item else ()

    def actions(self, key: str, view: str, resource: str = "") -> list[str]:
        """The actions behind a key in a view; what belongs to a resource or view goes before what is general."""
        found = [
            item
            for item in self._bound.values()
            if key in item.keys
            and (not item.views or view in item.views)
            and (not item.resource or item.resource == resource)
        ]
        found.sort(key=lambda item: (not item.resource, not item.views))
        return [item.name for item in found]
