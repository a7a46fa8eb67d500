"""Purchases that got no answer: nobody knows whether they were made until the service has been looked at again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from svc_tui.cache.shapes import Row
from svc_tui.workspace.core.service import Reader
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.lists.source import NotRead

if TYPE_CHECKING:
    from svc_tui.interface.operations import AnyOperation
    from svc_tui.workspace.changes.journal import Entry

#: Pauses before the looks that follow the first: a request may still be on its way.
PAUSES = (1.0, 2.0)

How = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A change that was sent and got no answer. `known` are the ids there were before a creation, `undo` what the
    journal keeps when it was done."""

    kind: Kind
    how: How
    path: Mapping[str, str]
    body: Mapping[str, Any]
    known: frozenset[str] = frozenset()
    undo: Entry | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What looking found: whether it was done (None: that could not be seen), in words, and the record as it is now."""

    done: bool | None
    sentence: str
    record: Row | None = None


class Doubts:
    """The changes of this run that nobody knows of. While there is one about a record, nothing that costs is sent
    to it."""

    def __init__(self, service: Reader, pause: Callable[[float], Awaitable[None]]) -> None:
        self._service, self._pause = service, pause
        self._open: dict[tuple[str, str], Doubt] = {}

    def about(self, kind: Kind, path: Mapping[str, str]) -> Doubt | None:
        """The open doubt about a record, or about what was created beside it."""
        return self._open.get(_where(kind, path))

    def add(self, doubt: Doubt) -> None:
        self._open[_where(doubt.kind, doubt.path)] = doubt

    async def before(self, wanted: AnyOperation, path: Mapping[str, str], body: Any, undo: Entry | None) -> Doubt:
        """What will be doubted when the change that is sent now gets no answer.

        ServiceError, and nothing must be sent: an earlier one about the same was done or still is in doubt, or what
        there is before a creation cannot be read.
        """
        from svc_tui.client.errors import ServiceError
        from svc_tui.workspace.changes.effects import effect_of

        effect = effect_of(wanted, path, None)
        assert effect is not None, "what costs changes a kind of record"
        earlier = self.about(effect.kind, path)
        if earlier is not None:
            found = await self.look(earlier, patiently=False)
            if found.done is not False:
                raise ServiceError(f"Not sent, as an earlier change got no answer. {found.sentence}")
        known: frozenset[str] = frozenset()
        if effect.how == "create":
            try:
                known = frozenset(effect.kind.id_of(row) for row in await self._rows(effect.kind, path))
            except NotRead as problem:
                cause = problem.__cause__
                raise (cause if isinstance(cause, ServiceError) else ServiceError(problem.sentence)) from problem
        return Doubt(effect.kind, effect.how, dict(path), dict(body or {}), known, undo)

    async def look(self, doubt: Doubt, *, patiently: bool = True) -> Finding:
        """Look at the service; the doubt is over when it was seen what became of it.

        `patiently`: a change that is not there is looked for again, as its request may still be on its way.
        """
        found = await self._seen(doubt)
        for seconds in PAUSES if patiently else ():
            if found.done:
                break
            await self._pause(seconds)
            found = await self._seen(doubt)
        if found.done is not None:
            self._open.pop(_where(doubt.kind, doubt.path), None)
        return found

    async def _seen(self, doubt: Doubt) -> Finding:
        try:
            return await (self._created(doubt) if doubt.how == "create" else self._changed(doubt))
        except NotRead as problem:
            said = "Whether it was done could not be seen. It is not sent again before that is known."
            return Finding(None, f"{said} {problem.sentence}")

    async def _created(self, doubt: Doubt) -> Finding:
        rows = await self._rows(doubt.kind, doubt.path)
        new = [row for row in rows if doubt.kind.id_of(row) not in doubt.known]
        mine = next((row for row in new if _agrees(doubt.body, row)), None)
        if mine is None:
            return Finding(False, "The service was looked at: it was not done.")
        return Finding(True, f"The service was looked at: it was done, once ({_state(mine)}).", mine)

    async def _changed(self, doubt: Doubt) -> Finding:
        gone = "The service was looked at: it was done, there is no such record any more."
        try:
            body = await self._service.read(doubt.kind.get, doubt.path, {"format": "full"})
        except NotRead as problem:
            if doubt.how == "delete" and getattr(problem.__cause__, "status", None) == 404:
                return Finding(True, gone)
            raise
        record = body.get("data") if isinstance(body, dict) else None
        if not isinstance(record, dict):
            raise NotRead("The service answered something that is not a record.")
        if doubt.how == "delete":
            done = record.get("status") in doubt.kind.deleted_statuses
        else:
            done = all(same(value, record.get(wire)) for wire, value in doubt.body.items())
        said = "it was done" if done else "it was not done"
        return Finding(done, f"The service was looked at: {said} ({_state(record)}).", record)

    async def _rows(self, kind: Kind, path: Mapping[str, str]) -> list[Row]:
        body = await self._service.read(kind.list, path, {"format": "full", **kind.complete_query})
        rows = body.get("data") if isinstance(body, dict) else None
        if not isinstance(rows, list):
            raise NotRead("The service answered something that is not a list of records.")
        return [row for row in rows if isinstance(row, dict)]


def _where(kind: Kind, path: Mapping[str, str]) -> tuple[str, str]:
    """What a doubt is about: one record, or everything that is created under one path."""
    return kind.name, repr(sorted(path.items()))


def _state(record: Row) -> str:
    return f"status {record.get('status') or 'unknown'}"


def _agrees(body: Mapping[str, Any], record: Row) -> bool:
    """Whether a new record can be the one that was sent: what names another record is the same."""
    return all(same(value, record.get(wire)) for wire, value in body.items() if wire.endswith("Id"))


def same(sent: Any, found: Any) -> bool:
    """Whether a value that was sent is there: the service may answer a day as a moment, and a code as what it gives."""
    if isinstance(found, Mapping):
        return bool(sent == found.get("name"))
    if isinstance(sent, str) and isinstance(found, str):
        return found == sent or (len(sent) == 10 and found.startswith(sent))
    return bool(sent == found) or not (sent or found)
