"""The undo journal: changes made here and how to undo them, kept from one run to the next."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from svc_tui.cache.cached import RecordDict
from svc_tui.cache.secrets import without_secrets
from svc_tui.interface.catalogue import operation
from svc_tui.language import _
from svc_tui.workspace.core.service import CREATED, Service
from svc_tui.workspace.files.saved_files import locked, write_private
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS, kind_of

#: Most entries in the journal, and most records in the jobs of older entries.
MOST_ENTRIES, MOST_RECORDS = 50, 2_000


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """One change that is undone by performing `operation_id` with `path` and `body`; or a job, with its changes.

    `before` and `after` are the changed fields of the record; for a created one, `record_id` is the record that it is
    for, and `after` what its job gives it. `when` is seconds since 1970. A change of a job names the number of its
    entry in `job`; that entry has all of them in `parts`, and they are undone together. `CREATED` in the path stands
    for the ID of the record that the change creates. The entries are stored as JSON under these names.
    """

    label: str
    kind: str
    record_id: str
    operation_id: str
    path: dict[str, str]
    body: dict[str, Any] | None
    before: RecordDict
    after: RecordDict = field(default_factory=dict)
    when: float = 0.0
    number: str = field(default_factory=lambda: uuid.uuid4().hex)
    job: str = ""
    parts: tuple[UndoEntry, ...] = ()

    @classmethod
    def of_update(
        cls,
        label: str,
        kind: Kind,
        operation_id: str,
        path: Mapping[str, str],
        body: Mapping[str, Any],
        before: RecordDict,
    ) -> UndoEntry:
        """Undo an update by the same operation with the old values. `before` is the whole record."""
        old = {name: before.get(name) for name in body}
        return cls(label, kind.name, kind.id_of(before), operation_id, dict(path), old, old, dict(body))

    @classmethod
    def of_opposite(
        cls, label: str, kind: Kind, operation_id: str, path: Mapping[str, str], before: RecordDict
    ) -> UndoEntry | None:
        """Undo a change by the operation that reverses it, such as restart for stop; None where none does."""
        opposite = operation(operation_id).undone_by
        return cls(label, kind.name, kind.id_of(before), opposite, dict(path), None, dict(before)) if opposite else None


@dataclass(frozen=True, slots=True)
class LaterChange:
    """A field that was changed again after the change that is to be undone."""

    field: str
    expected: Any
    found: Any


class Journal:
    """The last changes of one user that can be undone, oldest first; shared by all consoles of the user.

    Only `later_changes` and `undo` raise.
    """

    def __init__(self, file: Path | None, service: Service, now: Callable[[], float] = time.time) -> None:
        self._file, self._service, self._now = file, service, now
        self.error_message = ""
        #: The last change, when it cannot be undone and the user has not been warned yet; empty otherwise.
        self.not_undoable = ""
        self._entries = _read(file) or ()

    @property
    def entries(self) -> tuple[UndoEntry, ...]:
        return self._entries

    def add(self, entry: UndoEntry, record: RecordDict | None = None) -> UndoEntry | None:
        """Add a change that was made, and return it as it is kept; `record` is the record in the response.

        None when it contains a secret: secrets are not stored, and without them the change cannot be undone.
        """
        if entry.body is not None and without_secrets(entry.operation_id, entry.body) != entry.body:
            self.not_undoable = entry.label
            return None
        self.not_undoable = ""
        kind = KINDS.get(entry.kind) or kind_of(entry.kind)
        after = entry.after if record is None else _changed_fields(entry, kind.flat(record))
        if record is not None and CREATED in entry.path.values():
            created = kind.id_of(record)
            path = {name: created if value == CREATED else value for name, value in entry.path.items()}
            entry, after = replace(entry, path=path), entry.after
        entry = replace(
            entry,
            when=self._now(),
            before=without_secrets(entry.operation_id, entry.before),
            after=without_secrets(entry.operation_id, after),
        )
        self._save(lambda entries: _fewest(_with(entries, entry)))
        return entry

    async def later_changes(self, entry: UndoEntry) -> list[LaterChange]:
        """Fields that were changed again since: reads the record. ReadError when that fails."""
        kind = KINDS.get(entry.kind) or kind_of(entry.kind)
        body = await self._service.read(kind.get, entry.path, {"format": "full"})
        data = body.get("data") if isinstance(body, dict) else None
        record = kind.record_in(data, str(entry.path.get(kind.parameter, "")))
        now = {} if record is None else kind.flat(record)
        return [
            LaterChange(name, expected, now.get(name))
            for name, expected in entry.after.items()
            if now.get(name) != expected
        ]

    async def undo(self, entry: UndoEntry) -> dict[str, Any]:
        """Undo a change; the body of the response. ServiceError when that fails: the entry then stays."""
        answer = await self._service.perform(entry.operation_id, path=entry.path, body=entry.body)
        self.forget(entry)
        return answer

    def forget(self, entry: UndoEntry) -> None:
        """Remove an entry."""
        self._save(lambda entries: tuple(other for other in entries if other.number != entry.number))

    def forget_parts(self, entry: UndoEntry, numbers: Collection[str]) -> None:
        """Remove changes of a job that no longer need to be undone; the entry of the job with the last one."""
        left = tuple(part for part in entry.parts if part.number not in numbers)
        if not left:
            self.forget(entry)
            return
        shorter = _of_job(left)
        self._save(lambda entries: tuple(shorter if each.number == entry.number else each for each in entries))

    def _save(self, change: Callable[[tuple[UndoEntry, ...]], tuple[UndoEntry, ...]]) -> None:
        """Change the stored entries, including those of other consoles; in memory when the file cannot be written."""
        if self._file is None:
            self._entries = change(self._entries)
            return
        try:
            with locked(self._file):
                stored = _read(self._file)
                self._entries = change(self._entries if stored is None else stored)
                write_private(self._file, json.dumps([asdict(entry) for entry in self._entries]))
            self.error_message = ""
        except OSError as error:
            self._entries = change(self._entries)
            self.error_message = _("Cannot write {file} ({reason}). Undo works until this console is closed.").format(
                file=self._file, reason=error.strerror
            )


def _with(entries: tuple[UndoEntry, ...], entry: UndoEntry) -> tuple[UndoEntry, ...]:
    """The entries with one more change, which is added to the entry of its job."""
    if not entry.job:
        return (*entries, entry)
    earlier = next((each.parts for each in entries if each.number == entry.job), ())
    return (*(each for each in entries if each.number != entry.job), _of_job((*earlier, entry)))


def _of_job(parts: tuple[UndoEntry, ...]) -> UndoEntry:
    """The entry of a job with these changes."""
    first, more = parts[0], len(parts) - 1
    label = _("{label} and {more} more").format(label=first.label, more=more) if more else first.label
    return UndoEntry(
        *(label, first.kind, "", first.operation_id, {}, None, {}), when=parts[-1].when, number=first.job, parts=parts
    )


def _fewest(entries: tuple[UndoEntry, ...]) -> tuple[UndoEntry, ...]:
    """The newest entries that are kept; the last one whole, whatever its size."""
    kept = entries[-MOST_ENTRIES:]
    while len(kept) > 1 and sum(len(each.parts) for each in kept) > MOST_RECORDS:
        kept = kept[1:]
    return kept


def _changed_fields(entry: UndoEntry, record: RecordDict) -> RecordDict:
    """The changed fields, with the values in the response."""
    if entry.body is not None:
        return {name: record.get(name, value) for name, value in entry.after.items()}
    return {name: value for name, value in record.items() if name in entry.before and entry.before[name] != value}


def _read(file: Path | None) -> tuple[UndoEntry, ...] | None:
    """The stored entries, None when the file cannot be read; invalid ones are skipped."""
    try:
        stored = json.loads(file.read_text("utf-8")) if file else []
    except (OSError, ValueError, RecursionError):
        return None
    return tuple(filter(None, map(_entry, stored))) if isinstance(stored, list) else ()


def _entry(values: object) -> UndoEntry | None:
    """A stored entry; None for an invalid one. Those from before there were jobs have neither job nor parts."""
    names = {item.name for item in fields(UndoEntry)}
    if not isinstance(values, dict) or not names - {"job", "parts"} <= set(values) <= names:
        return None
    parts = values.get("parts") or ()
    return UndoEntry(**{**values, "parts": tuple(filter(None, map(_entry, parts)))})
