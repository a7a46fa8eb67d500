"""Preferences kept between runs: sort order of each kind, the last view, the history of commands, groups of companies,
and saved searches.
"""

from __future__ import annotations

import copy
import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from svc_tui.language import _
from svc_tui.workspace.files.saved_files import locked, write_private

#: Most commands in the history.
MOST_HISTORY = 100


@dataclass(slots=True)
class KindPreferences:
    """The last display of one kind's list. `query` has the parameters of a view that are not a filter."""

    query: dict[str, Any] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    columns: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Group:
    """A named set of companies by their IDs. With a `filter` of the list of companies, they are those that it found
    last."""

    companies: tuple[str, ...]
    filter: str = ""


class Preferences:
    """Read once; `save` merges the changes made here into the file, which other consoles may have changed.

    Nothing raises: unreadable preferences are the defaults, and `error_message` has the reason of a failed save.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.error_message = ""
        stored = _read(file)
        self._kinds = {
            name: _kind(values) for name, values in _table(stored.get("kinds")).items() if isinstance(values, dict)
        }
        self._last_place = _text(stored.get("last_place"))
        self.history = [line for line in _list(stored.get("history")) if isinstance(line, str)]
        self.user: dict[str, Any] | None = _table(stored.get("user")) or None
        #: The groups of companies by name.
        self.groups = {
            name: Group(tuple(map(str, _list(values.get("companies")))), _text(values.get("filter")))
            for name, values in _table(stored.get("groups")).items()
            if isinstance(values, dict)
        }
        #: The saved searches: links by name.
        self.searches = {name: link for name, link in _table(stored.get("searches")).items() if isinstance(link, str)}
        self._saved = copy.deepcopy(self._state())

    def members(self, group: str) -> frozenset[str] | None:
        """The IDs of the companies of a group: none of one that is not known. None without a name: all companies."""
        return frozenset(self.groups[group].companies if group in self.groups else ()) if group else None

    @property
    def last_place(self) -> str:
        """The last view, as an argument of `svc-tui open`; saved immediately."""
        return self._last_place

    @last_place.setter
    def last_place(self, place: str) -> None:
        if place != self._last_place:
            self._last_place = place
            self.save()

    def of(self, kind: str) -> KindPreferences:
        """The preferences of a kind, for reading and changing."""
        return self._kinds.setdefault(kind, KindPreferences())

    def remember(self, line: str) -> None:
        """Add a command to the history, newest last, each once; saved immediately."""
        if line.strip():
            self.history = [*(known for known in self.history if known != line), line][-MOST_HISTORY:]
            self.save()

    def save(self) -> None:
        """Save the changes made here."""
        state = self._state()
        if state == self._saved or self._file is None:
            return
        try:
            with locked(self._file):
                write_private(self._file, json.dumps(self._merged(_read(self._file), state), indent=1))
        except OSError as error:
            self.error_message = _(
                "Cannot write {file} ({reason}). Preferences are kept until this console is closed."
            ).format(file=self._file, reason=error.strerror)
            return
        self.error_message = ""
        self._saved = copy.deepcopy(state)

    def _state(self) -> dict[str, Any]:
        return {
            "kinds": {name: asdict(kind) for name, kind in self._kinds.items()},
            "last_place": self._last_place,
            "history": self.history,
            "groups": {name: asdict(group) for name, group in self.groups.items()},
            "searches": dict(self.searches),
            "user": self.user,
        }

    def _merged(self, stored: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
        """The stored preferences with the changes made here; commands of other consoles come first."""
        changed = {name: value for name, value in state.items() if value != self._saved[name]}
        kinds = {name: kind for name, kind in state["kinds"].items() if kind != self._saved["kinds"].get(name)}
        changed["kinds"] = {**_table(stored.get("kinds")), **kinds}
        changed |= {name: self._named(name, stored, state) for name in ("groups", "searches")}
        stored_lines = [line for line in _list(stored.get("history")) if line not in state["history"]]
        changed["history"] = [*stored_lines, *state["history"]][-MOST_HISTORY:]
        return {**stored, **changed}

    def _named(self, name: str, stored: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
        """Named values, of which this and other consoles added and removed some."""
        before, now = self._saved[name], state[name]
        kept = {key: value for key, value in _table(stored.get(name)).items() if key in now or key not in before}
        return {**kept, **{key: value for key, value in now.items() if value != before.get(key)}}


def _read(file: Path | None) -> dict[str, Any]:
    try:
        return _table(json.loads(file.read_text("utf-8"))) if file else {}
    except (OSError, ValueError, RecursionError):
        return {}


def _kind(values: dict[str, Any]) -> KindPreferences:
    """The stored values with the right types; others are ignored."""
    defaults = KindPreferences()
    valid = {
        item.name: values[item.name]
        for item in fields(KindPreferences)
        if isinstance(values.get(item.name), type(getattr(defaults, item.name)))
    }
    return KindPreferences(**valid)


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
