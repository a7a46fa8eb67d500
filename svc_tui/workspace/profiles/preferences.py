"""What the console remembers between two runs: order and filter of each kind, the last place, the lines of `:`."""

from __future__ import annotations

import copy
import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from svc_tui.workspace.files.shared_files import locked, write_private

#: Lines of `:` that are remembered.
MOST_HISTORY = 100


@dataclass(slots=True)
class KindPreferences:
    """How the list of one kind was last looked at. `query` has the wire names of the filter form."""

    filter: str = ""
    query: dict[str, Any] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    columns: list[str] = field(default_factory=list)


class Preferences:
    """Read once; `save` writes what was changed here over what other consoles wrote meanwhile.

    Nothing raises: preferences that cannot be read are the usual ones, and what cannot be saved is said in `trouble`.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.trouble = ""
        stored = _read(file)
        self._kinds = {
            name: _kind(values) for name, values in _table(stored.get("kinds")).items() if isinstance(values, dict)
        }
        self._last_place = _text(stored.get("last_place"))
        self.history = [line for line in _list(stored.get("history")) if isinstance(line, str)]
        self.user: dict[str, Any] | None = _table(stored.get("user")) or None
        self._saved = copy.deepcopy(self._state())

    @property
    def last_place(self) -> str:
        """Where the console was last, as `svc-tui open` takes it; kept at once."""
        return self._last_place

    @last_place.setter
    def last_place(self, place: str) -> None:
        if place != self._last_place:
            self._last_place = place
            self.save()

    def of(self, kind: str) -> KindPreferences:
        """The preferences of a kind, to be read and changed."""
        return self._kinds.setdefault(kind, KindPreferences())

    def remember(self, line: str) -> None:
        """Add a line of `:` to the history, newest last, each once; kept at once."""
        if line.strip():
            self.history = [*(known for known in self.history if known != line), line][-MOST_HISTORY:]
            self.save()

    def save(self) -> None:
        """Write what was changed here."""
        state = self._state()
        if state == self._saved or self._file is None:
            return
        try:
            with locked(self._file):
                write_private(self._file, json.dumps(self._merged(_read(self._file), state), indent=1))
        except OSError as error:
            self.trouble = f"{self._file} cannot be written ({error.strerror}): what is set now holds for this time."
            return
        self.trouble = ""
        self._saved = copy.deepcopy(state)

    def _state(self) -> dict[str, Any]:
        return {
            "kinds": {name: asdict(kind) for name, kind in self._kinds.items()},
            "last_place": self._last_place,
            "history": self.history,
            "user": self.user,
        }

    def _merged(self, stored: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
        """What others stored, with what was changed here on top; their lines of `:` stay in front of ours."""
        changed = {name: value for name, value in state.items() if value != self._saved[name]}
        kinds = {name: kind for name, kind in state["kinds"].items() if kind != self._saved["kinds"].get(name)}
        changed["kinds"] = {**_table(stored.get("kinds")), **kinds}
        theirs = [line for line in _list(stored.get("history")) if line not in state["history"]]
        changed["history"] = [*theirs, *state["history"]][-MOST_HISTORY:]
        return {**stored, **changed}


def _read(file: Path | None) -> dict[str, Any]:
    try:
        return _table(json.loads(file.read_text("utf-8"))) if file else {}
    except (OSError, ValueError, RecursionError):
        return {}


def _kind(values: dict[str, Any]) -> KindPreferences:
    """Stored values of the right types; whatever else a file holds is passed over."""
    usual = KindPreferences()
    right = {
        item.name: values[item.name]
        for item in fields(KindPreferences)
        if isinstance(values.get(item.name), type(getattr(usual, item.name)))
    }
    return KindPreferences(**right)


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
