"""Unconfirmed writes: changes that cost money and got no response. The outcome is verified at the service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svc_tui.cache.cached import RecordDict
from svc_tui.client.errors import Refused, ServiceError
from svc_tui.interface.value_words import word
from svc_tui.language import _
from svc_tui.workspace.changes.effects import effect_of
from svc_tui.workspace.core.service import Reader, ReadError
from svc_tui.workspace.kinds.kind import Kind

if TYPE_CHECKING:
    from svc_tui.interface.operations import AnyOperation
    from svc_tui.workspace.changes.effects import ChangeAction
    from svc_tui.workspace.changes.journal import UndoEntry

#: Pauses before the second and third check: the request may still be on its way.
PAUSES = (1.0, 2.0)


@dataclass(frozen=True, slots=True)
class UnconfirmedWrite:
    """A change that was sent and got no response.

    `known` are the ids that existed before a creation, `undo` is the entry of the journal if the change was made.
    """

    kind: Kind
    action: ChangeAction
    path: Mapping[str, str]
    body: Mapping[str, Any]
    known: frozenset[str] = frozenset()
    undo: UndoEntry | None = None


@dataclass(frozen=True, slots=True)
class VerifiedOutcome:
    """Whether an unconfirmed write was made (None: still unknown), as a sentence, and the current record."""

    done: bool | None
    sentence: str
    record: RecordDict | None = None


class UnconfirmedWrites:
    """The unconfirmed writes of this run. While a record has one, no other change that costs is sent to it."""

    def __init__(self, service: Reader, pause: Callable[[float], Awaitable[None]]) -> None:
        self._service, self._pause = service, pause
        self._writes: dict[tuple[str, str], UnconfirmedWrite] = {}

    def find(self, kind: Kind, path: Mapping[str, str]) -> UnconfirmedWrite | None:
        """The unconfirmed write of a record, or of a creation under the same path."""
        return self._writes.get(_key(kind, path))

    def add(self, write: UnconfirmedWrite) -> None:
        self._writes[_key(write.kind, write.path)] = write

    async def prepare(
        self, operation: AnyOperation, path: Mapping[str, str], body: Any, undo: UndoEntry | None
    ) -> UnconfirmedWrite:
        """The write to add when the change that is sent now gets no response.

        ServiceError, and nothing must be sent: an earlier write to the same record was made or is still unconfirmed,
        or the records that exist before a creation cannot be read.
        """
        effect = effect_of(operation, path, None)
        assert effect is not None, "an operation that costs changes a kind of record"
        earlier = self.find(effect.kind, path)
        if earlier is not None:
            outcome = await self.verify(earlier, repeat=False)
            if outcome.done is not False:
                raise ServiceError(
                    _("Not sent: an earlier change got no response. {sentence}").format(sentence=outcome.sentence)
                )
        known: frozenset[str] = frozenset()
        if effect.action == "create":
            try:
                known = frozenset(effect.kind.id_of(row) for row in await self._rows(effect.kind, path))
            except ReadError as error:
                cause = error.__cause__
                raise (cause if isinstance(cause, ServiceError) else ServiceError(error.sentence)) from error
        return UnconfirmedWrite(effect.kind, effect.action, dict(path), dict(body or {}), known, undo)

    async def verify(self, write: UnconfirmedWrite, *, repeat: bool = True) -> VerifiedOutcome:
        """Verify a write at the service; it is confirmed when its outcome is known.

        `repeat`: check several times for a change that is not visible, as its request may still be on its way.
        """
        outcome = await self._check(write)
        for seconds in PAUSES if repeat else ():
            if outcome.done:
                break
            await self._pause(seconds)
            outcome = await self._check(write)
        if outcome.done is not None:
            self._writes.pop(_key(write.kind, write.path), None)
        return outcome

    async def _check(self, write: UnconfirmedWrite) -> VerifiedOutcome:
        try:
            return await (self._check_creation(write) if write.action == "create" else self._check_change(write))
        except ReadError as error:
            return VerifiedOutcome(
                None, _("Outcome unknown: it cannot be verified now. {sentence}").format(sentence=error.sentence)
            )

    async def _check_creation(self, write: UnconfirmedWrite) -> VerifiedOutcome:
        rows = await self._rows(write.kind, write.path)
        new = [row for row in rows if write.kind.id_of(row) not in write.known]
        match = next((row for row in new if _refers_alike(write.body, row)), None)
        if match is None:
            return VerifiedOutcome(False, _("Verified: the change was not made."))
        return VerifiedOutcome(
            True, _("Verified: the change was made once ({state}).").format(state=_state(match)), match
        )

    async def _check_change(self, write: UnconfirmedWrite) -> VerifiedOutcome:
        try:
            body = await self._service.read(write.kind.get, write.path, {"format": "full"})
        except ReadError as error:
            refusal = error.__cause__
            if write.action == "delete" and isinstance(refusal, Refused) and refusal.status == 404:
                return VerifiedOutcome(True, _("Verified: the record was deleted."))
            raise
        record = body.get("data") if isinstance(body, dict) else None
        if not isinstance(record, dict):
            raise ReadError(_("Unexpected response: not a record."))
        if write.action == "delete":
            done = write.kind.processing is not None and record.get("status") in write.kind.processing.deleted
        else:
            done = all(same(value, record.get(wire)) for wire, value in write.body.items())
        verb = _("was made") if done else _("was not made")
        return VerifiedOutcome(
            done, _("Verified: the change {verb} ({state}).").format(verb=verb, state=_state(record)), record
        )

    async def _rows(self, kind: Kind, path: Mapping[str, str]) -> list[RecordDict]:
        complete = kind.processing.complete_query if kind.processing else {}
        body = await self._service.read(kind.list, path, {"format": "full", **complete})
        rows = body.get("data") if isinstance(body, dict) else None
        if not isinstance(rows, list):
            raise ReadError(_("Unexpected response: not a list of records."))
        return [row for row in rows if isinstance(row, dict)]


def _key(kind: Kind, path: Mapping[str, str]) -> tuple[str, str]:
    """What a write changes: one record, or everything that is created under one path."""
    return kind.name, repr(sorted(path.items()))


def _state(record: RecordDict) -> str:
    return _("status {status}").format(status=word(record.get("status") or "unknown"))


def _refers_alike(body: Mapping[str, Any], record: RecordDict) -> bool:
    """Whether a new record can be the one that was sent: its references to other records are equal."""
    return all(same(value, record.get(wire)) for wire, value in body.items() if wire.endswith("Id"))


def same(sent: Any, found: Any) -> bool:
    """Whether a value that was sent was applied: the service may return a day as a time, and a code as its object."""
    if isinstance(found, Mapping):
        return bool(sent == found.get("name"))
    if isinstance(sent, str) and isinstance(found, str):
        return found == sent or (len(sent) == 10 and found.startswith(sent))
    return bool(sent == found) or not (sent or found)
