"""The undo journal: what was changed here and how to put it back, kept from one run to the next."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Protocol

from svc_tui.cache.shapes import Row
from svc_tui.workspace.core.service import Performer, Reader
from svc_tui.workspace.files.shared_files import locked, write_private
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS, kind_of

#: Changes that are remembered.
MOST_ENTRIES = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """One change that can be taken back by performing `operation_id` with `path` and `body`.

    `before` and `after` are the fields of the record that it changed. `when` is seconds since 1970.
    """

    label: str
    kind: str
    record_id: str
    operation_id: str
    path: dict[str, str]
    body: dict[str, Any] | None
    before: Row
    after: Row = field(default_factory=dict)
    when: float = 0.0
    number: str = field(default_factory=lambda: uuid.uuid4().hex)

    @classmethod
    def of_update(
        cls, label: str, kind: Kind, operation_id: str, path: Mapping[str, str], body: Mapping[str, Any], before: Row
    ) -> Entry:
        """How to take an update back: the same operation with the values from before. `before` is the whole record."""
        old = {name: before.get(name) for name in body}
        return cls(label, kind.name, kind.id_of(before), operation_id, dict(path), old, old, dict(body))

    @classmethod
    def of_opposite(cls, label: str, kind: Kind, operation_id: str, path: Mapping[str, str], before: Row) -> Entry:
        """How to take a change back that has an opposite, such as stop and restart."""
        return cls(label, kind.name, kind.id_of(before), operation_id, dict(path), None, dict(before))


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not as the change left it: someone changed it since."""

    field: str
    expected: Any
    found: Any


class UndoService(Reader, Performer, Protocol):
    """What undo needs of the workspace."""


class Journal:
    """The last changes of one user that can be taken back, oldest first; shared by his consoles. Nothing but
    `differences` and `undo` raises."""

    def __init__(self, file: Path | None, service: UndoService, now: Callable[[], float] = time.time) -> None:
        self._file, self._service, self._now = file, service, now
        self.trouble = ""
        #: The last change, when it cannot be taken back and that has not been said yet; empty otherwise.
        self.final = ""
        self._entries = _read(file) or ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._entries

    def add(self, entry: Entry, record: Row | None = None) -> bool:
        """Remember a change that was made; `record` is what the service answered. False when it holds a secret.

        Secrets are not written down, and without them the change could not be taken back.
        """
        self.final = ""
        if entry.body is not None and _clean(entry, entry.body) != entry.body:
            return False
        kind = KINDS.get(entry.kind) or kind_of(entry.kind)
        after = entry.after if record is None else _changed(entry, kind.flat(record))
        entry = replace(entry, when=self._now(), before=_clean(entry, entry.before), after=_clean(entry, after))
        self._save(lambda entries: (*entries, entry)[-MOST_ENTRIES:])
        return True

    async def differences(self, entry: Entry) -> list[Difference]:
        """What differs by now from what the change left: reads the record again. NotRead when that fails."""
        kind = KINDS.get(entry.kind) or kind_of(entry.kind)
        body = await self._service.read(kind.get, entry.path, {"format": "full"})
        data = body.get("data") if isinstance(body, dict) else None
        now = kind.flat(data) if isinstance(data, dict) else {}
        return [
            Difference(name, expected, now.get(name))
            for name, expected in entry.after.items()
            if now.get(name) != expected
        ]

    async def undo(self, entry: Entry) -> dict[str, Any]:
        """Take a change back; the answer's body. ServiceError when that fails: the entry then stays."""
        answer = await self._service.perform(entry.operation_id, path=entry.path, body=entry.body)
        self.forget(entry)
        return answer

    def forget(self, entry: Entry) -> None:
        """Take an entry out."""
        self._save(lambda entries: tuple(other for other in entries if other.number != entry.number))

    def _save(self, change: Callable[[tuple[Entry, ...]], tuple[Entry, ...]]) -> None:
        """Change what is stored, with what other consoles added meanwhile; in memory when it cannot be stored."""
        if self._file is None:
            self._entries = change(self._entries)
            return
        try:
            with locked(self._file):
                stored = _read(self._file)
                self._entries = change(self._entries if stored is None else stored)
                write_private(self._file, json.dumps([asdict(entry) for entry in self._entries]))
            self.trouble = ""
        except OSError as error:
            self._entries = change(self._entries)
            self.trouble = f"{self._file} cannot be written ({error.strerror}): undo is kept for this time only."


def _changed(entry: Entry, record: Row) -> Row:
    """The fields that matter, as the service answered them."""
    if entry.body is not None:
        return {name: record.get(name, value) for name, value in entry.after.items()}
    return {name: value for name, value in record.items() if name in entry.before and entry.before[name] != value}


def _clean(entry: Entry, row: Row) -> Row:
    from svc_tui.cache.secrets import without_secrets

    return without_secrets(entry.operation_id, row)


def _read(file: Path | None) -> tuple[Entry, ...] | None:
    """The stored entries, None when there are none to be read; what does not look like one is passed over."""
    try:
        stored = json.loads(file.read_text("utf-8")) if file else []
    except (OSError, ValueError, RecursionError):
        return None
    names = {item.name for item in fields(Entry)}
    found = (values for values in stored if isinstance(values, dict)) if isinstance(stored, list) else ()
    return tuple(Entry(**values) for values in found if set(values) == names)
