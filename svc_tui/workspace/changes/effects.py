"""The effect of a change: the kind of record, the record, and whether one was created or deleted; and the changes made
here, to recognise the events about them: their result is shown already.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from svc_tui.cache.cached import RecordDict
from svc_tui.cache.secrets import record_model
from svc_tui.interface.field_specs import ReadFormat
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.interface.operations import AnyOperation


ChangeAction = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Effect:
    """`record` is the record in the response, if any; `record_id` is empty where neither it nor the path names one."""

    kind: Kind
    action: ChangeAction
    record_id: str
    record: RecordDict | None = None

    def formats(self) -> dict[str, RecordDict]:
        """The record in each read format in which it may be cached."""
        model = record_model(self.kind.get)
        if self.record is None:
            return {}
        return {name: model.shown(self.record, name) if model else self.record for name in get_args(ReadFormat)}


def effect_of(changing: AnyOperation, path: Mapping[str, str], body: Any) -> Effect | None:
    """The effect of a successful change; None when it changes no kind that is shown in lists."""
    if changing.creates:
        kind = KINDS[changing.creates]
        created = _record(kind, body, "")
        return Effect(kind, "create", kind.id_of(created) if created else "", created)
    if changing.deletes:
        kind = KINDS[changing.deletes]
        return Effect(kind, "delete", str(path.get(kind.parameter, "")))
    if changing.updates:
        kind = KINDS[changing.updates]
        record_id = str(path.get(kind.parameter, ""))
        return Effect(kind, "update", record_id, _record(kind, body, record_id))
    return None


def _record(kind: Kind, body: Any, record_id: str) -> RecordDict | None:
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict) or not kind.id_of(data) or (record_id and kind.id_of(data) != record_id):
        return None
    return data


#: Seconds that an event waits for the response to a change that is in progress here: events can be faster.
RESPONSE_SECONDS = 5.0
#: Seconds in which the event of a change made here arrives, if it arrives.
EVENT_SECONDS = 60.0


class OwnChanges:
    """Records that were created, updated and deleted here. `now` is in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._made: set[tuple[str, str, str]] = set()
        #: Kind and id -> when the response came, and its record.
        self._updated: dict[tuple[str, str], tuple[float, Mapping[str, Any]]] = {}
        #: The kinds of the changes in progress, and what notes that one has ended.
        self._in_progress: Counter[str] = Counter()
        self._ended = asyncio.Event()

    @contextmanager
    def performing(self, effect: Effect | None) -> Iterator[None]:
        """A change is in progress: whether an event is about it will be known at its end."""
        name = effect.kind.name if effect is not None else ""
        self._in_progress[name] += 1
        try:
            yield
        finally:
            self._in_progress[name] -= 1
            self._ended.set()

    def add(self, effect: Effect) -> None:
        """A change was made."""
        if effect.action == "update" and effect.record is not None:
            self._updated[effect.kind.name, effect.record_id] = (self._now(), effect.record)
        elif effect.action != "update":
            self._made.add((effect.kind.name, effect.action, effect.record_id))

    async def include(self, kind: Kind, record_id: str, content: Mapping[str, Any]) -> bool:
        """Whether an event is about a change made here. An update has one event, whose values are in the response."""
        with suppress(TimeoutError):
            async with asyncio.timeout(RESPONSE_SECONDS):
                while self._in_progress[kind.name]:
                    self._ended.clear()
                    await self._ended.wait()
        action = str(content.get("action"))
        if action != "update":
            return (kind.name, action, record_id) in self._made
        updated = self._updated.pop((kind.name, record_id), None)
        return updated is not None and self._now() - updated[0] < EVENT_SECONDS and agrees(updated[1], content)


def agrees(record: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    """Whether a record has the values of an event, as far as both have the fields."""
    return all(record[name] == value for name, value in content.items() if name in record)
