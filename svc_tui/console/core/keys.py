"""The key map: the keys of actions and dialogs, and how they are changed. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import combinations, groupby

from svc_tui.language import _, translated

#: Keys that multiplexers, editors and terminals take for themselves: never a default, and refused with a warning.
TAKEN = frozenset({"ctrl+a", "ctrl+b", "ctrl+s", "ctrl+q", "ctrl+j", "ctrl+m", "ctrl+i", "ctrl+h"})

_NAMES = {
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "ctrl+@": "ctrl+space",
    "question_mark": "?",
    "slash": "/",
    "vertical_line": "|",
    "colon": ":",
    "exclamation_mark": "!",
    "asterisk": "*",
    "minus": "-",
    "plus": "+",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}
_TEXTUAL_KEYS = {name: key for key, name in _NAMES.items()}
_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_.]*)\}")


def key_name(key: str, character: str | None = None) -> str:
    """The name of a key in the key map: the character if it is printable, otherwise for example `esc`, `ctrl+p`."""
    if key == "space" or character == " ":
        return "space"
    if character and len(character) == 1 and character.isprintable():
        return character
    return _NAMES.get(key, key)


def textual_key(name: str) -> tuple[str, str | None]:
    """The key and the character that Textual reports for a name in the key map."""
    character = " " if name == "space" else name if len(name) == 1 else None
    return _TEXTUAL_KEYS.get(name, name), character


@dataclass(frozen=True, slots=True)
class KeyBinding:
    """The default keys of an action, and the views in which they work (empty: all). `own`: the user chose the keys."""

    name: str
    keys: tuple[str, ...]
    views: frozenset[str] = frozenset()
    resource: str = ""
    own: bool = False

    def overlaps(self, other: KeyBinding) -> bool:
        """Whether one key for both would be ambiguous; actions of a resource take precedence over general ones."""
        same_views = bool(self.views & other.views) or not (self.views or other.views)
        return self.resource == other.resource and same_views

    def hides(self, other: KeyBinding) -> bool:
        """Whether a key of both would do this, in a view of both: what belongs to a resource or a view precedes."""
        meets = self.resource == other.resource or not other.resource
        meets = meets and (not self.views or not other.views or bool(self.views & other.views))
        return meets and (not self.resource, not self.views) < (not other.resource, not other.views)


@dataclass(frozen=True, slots=True)
class DialogKey:
    """The action of a key in a dialog, in the prompt or in an editor; dialogs may share it.

    `name` is its name in the key map, and its last word the name of the method: `picker.choose` calls
    `action_choose`. Keys with the same label stand together in the key line; one that is not `shown` is left out.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    help: str
    shown: bool = True

    def __post_init__(self) -> None:
        translated(self, "label", "help")

    @property
    def verb(self) -> str:
        return self.name.rpartition(".")[2]

    def labelled(self, label: str) -> DialogKey:
        """The same key with the label that fits one dialog."""
        return self._changed(label, shown=True)

    def unlisted(self) -> DialogKey:
        """The same key, left out of the key line."""
        return self._changed(self.label, shown=False)

    def _changed(self, label: str, *, shown: bool) -> DialogKey:
        # Labels are translated already, and a translation can be another word of English: “Day” is “Tag” in German.
        changed = copy(self)
        object.__setattr__(changed, "label", label)
        object.__setattr__(changed, "shown", shown)
        return changed


#: Keys that work at the same time.
KeySet = Sequence[DialogKey]


class KeyMap:
    """The default keys with the changes of the configuration (action name -> keys, separated by commas)."""

    def __init__(self, bound: Iterable[KeyBinding], changes: Mapping[str, str] | None = None) -> None:
        self.problems: list[str] = []
        #: Sentences about actions that lost a default key to a key that the user chose.
        self.replaced: list[str] = []
        self._bound: dict[str, KeyBinding] = {}
        #: The same by key.
        self._by_key: dict[str, list[KeyBinding]] = {}
        #: Changed keys that belong to no action: they are those of dialogs.
        self._dialogs = {name: _parsed(keys) for name, keys in (changes or {}).items()}
        #: The keys that an action has by choice only.
        chosen: dict[str, set[str]] = {}
        for item in bound:
            changed = self._dialogs.pop(item.name, None)
            keys = item.keys if changed is None else changed
            chosen[item.name] = set(keys) if item.own else set(changed or ()) - set(item.keys)
            self._find_taken(item.name, changed or ())
            self._bound[item.name] = replace(item, keys=keys, own=item.own or changed is not None)
        self._give_way(chosen)
        self._find_conflicts()

    def _find_taken(self, name: str, keys: Iterable[str]) -> None:
        self.problems += [
            _("Key map: {key} for “{name}” is often intercepted by terminals and multiplexers.").format(
                key=key, name=name
            )
            for key in keys
            if key in TAKEN
        ]

    def _give_way(self, chosen: Mapping[str, Collection[str]]) -> None:
        """Take default keys from their actions where the user chose the same key for another action.

        An action that precedes that one in a view gives way where the key was not one of both before.
        """
        own = [item for item in self._bound.values() if item.own and item.keys]
        for item in [item for item in self._bound.values() if not item.own] if own else ():
            taken = {
                key: each.name
                for each in own
                for key in (each.keys if each.overlaps(item) else chosen[each.name] if item.hides(each) else ())
                if key in item.keys
            }
            if taken:
                keys = tuple(key for key in item.keys if key not in taken)
                self._bound[item.name] = replace(item, keys=keys)
                key, name = next(iter(taken.items()))
                self.replaced.append(
                    _("Key map: {key} is “{name}”; “{other}” has {keys} now.").format(
                        key=key, name=name, other=item.name, keys=_(" and ").join(keys)
                    )
                    if keys
                    else _("Key map: {key} is “{name}”; “{other}” has no key now.").format(
                        key=key, name=name, other=item.name
                    )
                )

    def _find_conflicts(self) -> None:
        for item in self._bound.values():
            for key in item.keys:
                self._by_key.setdefault(key, []).append(item)
        for sharing in self._by_key.values():
            for first, second in combinations(sharing, 2):
                if first.overlaps(second):
                    self._find_conflict(first.name, first.keys, second.name, second.keys)

    def _find_conflict(self, first: str, keys: Iterable[str], second: str, others: Iterable[str]) -> None:
        if shared := sorted(set(keys) & set(others)):
            problem = _("Key map: {shared} is both “{first}” and “{second}”; the first one is used.").format(
                shared=shared[0], first=first, second=second
            )
            if problem not in self.problems:
                self.problems.append(problem)

    # --- actions -----------------------------------------------------------------------------------------------

    def keys(self, name: str) -> tuple[str, ...]:
        """The keys of an action, in order; empty when it has none."""
        item = self._bound.get(name)
        return item.keys if item else ()

    def actions(self, key: str, view: str, resource: str = "") -> list[str]:
        """The actions of a key in a view; those of a resource or view take precedence over general ones."""
        found = [
            item
            for item in self._by_key.get(key, ())
            if (not item.views or view in item.views) and (not item.resource or item.resource == resource)
        ]
        found.sort(key=lambda item: (not item.resource, not item.views))
        return [item.name for item in found]

    # --- dialogs -----------------------------------------------------------------------------------------------

    @property
    def changes_dialogs(self) -> bool:
        """Whether the configuration changes names that are no actions: keys of dialogs, or mistakes."""
        return bool(self._dialogs)

    def check_dialogs(self, key_sets: Iterable[KeySet]) -> None:
        """Add the problems of changed dialog keys to `problems`; `key_sets` are those of all dialogs."""
        unknown = dict(self._dialogs)
        for keys in key_sets:
            for key in keys:
                self._find_taken(key.name, unknown.pop(key.name, ()))
            for first, second in combinations(keys, 2):
                if first.name != second.name:
                    self._find_conflict(first.name, self.of(first), second.name, self.of(second))
        self.problems += [_("Key map: unknown action “{name}”.").format(name=name) for name in unknown]

    def of(self, key: DialogKey) -> tuple[str, ...]:
        """The current keys of an entry of a dialog."""
        return self._dialogs.get(key.name, key.keys)

    def verb(self, keys: KeySet, pressed: str) -> str:
        """The verb of a key among these; empty for another key."""
        return next((key.verb for key in keys if pressed in self.of(key)), "")

    def line(self, keys: KeySet, hint: str = "") -> str:
        """The key line of a dialog, after the hint: `↑↓ Move   enter Choose   esc Close`."""
        listed = ((self.of(key)[:1], key.label) for key in keys if key.shown)
        parts = [hint] if hint else []
        for label, same in groupby(listed, key=lambda pair: pair[1]):
            names = [name for found, _ in same for name in found]
            if names:
                between = "" if all(name in _ARROWS for name in names) else "/"
                parts.append(f"{between.join(_ARROWS.get(name, name) for name in names)} {label}")
        return "   ".join(parts)

    # --- sentences ---------------------------------------------------------------------------------------------

    def sentence(self, text: str, keys: KeySet = ()) -> str:
        """A sentence in which `{refresh}` is the key of that action, or `{save}` the one of that verb among `keys`."""
        return _PLACEHOLDER.sub(lambda found: self._named(found[1], keys) or found[0], text)

    def _named(self, name: str, keys: KeySet) -> str:
        for key in keys:
            if name in (key.verb, key.name):
                return next(iter(self.of(key)), f"“{key.label}”")
        item = self._bound.get(name)
        return next(iter(item.keys), f"“{name}”") if item else ""


def _parsed(keys: str) -> tuple[str, ...]:
    return tuple("," if part == "comma" else part for part in keys.replace(" ", "").split(",") if part)
