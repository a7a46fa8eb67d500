"""A record that is edited in one form, with a request for each operation that takes a part of it: one review, and
never over what somebody else changed unseen. The protocol has no versions, so it is read again before both."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from svc_tui.client.errors import ServiceError
from svc_tui.console.areas.voice.change_sequence import Several, send_in_turn
from svc_tui.console.areas.voice.checked_form_view import GuardedView, drawn, entry
from svc_tui.console.areas.voice.conflicts import ChangedMeanwhile, meanwhile
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.voice.editing import Part
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.kind import Kind


class Known(Protocol):
    """A record as it was read: its id, its name, the path of its operations, the values that can be edited."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def path(self) -> Mapping[str, str]: ...
    @property
    def values(self) -> Mapping[str, Any]: ...


K = TypeVar("K", bound=Known)
#: Begins a review of a record as it was read just now, which can be read again.
Begin = Callable[[Context, GuardedView, K, Callable[[], Awaitable[K]]], "Sending[K]"]


def data_of(body: Any) -> dict[str, Any]:
    """The record that an answer holds. ReadError when it holds none."""
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise ReadError("Not all of this record could be read.")
    return data


class Sending(ABC, Generic[K]):
    """One review: its requests, which of them were sent, and what a refusal is about.

    `read` reads the record again. Which parts there are, and what each is called, a kind of record says.
    """

    #: What is edited, in one word.
    NOUN: ClassVar[str]
    #: Refusals that are about one field, whatever they name.
    ABOUT: ClassVar[Mapping[int | None, str]] = {}

    def __init__(self, context: Context, view: GuardedView, known: K, read: Callable[[], Awaitable[K]]) -> None:
        self._context, self._view, self._known, self._read = context, view, known, read
        self.changes: list[tuple[Part, Change]] = []
        self._failed: Part | None = None

    @abstractmethod
    def label(self, part: Part | None = None) -> str:
        """What the review is called, or one part of it."""

    @abstractmethod
    def bodies(self, changed: Mapping[str, Any]) -> Sequence[tuple[Part, Mapping[str, Any]]]:
        """The parts that changed values touch, with what is sent of each."""

    @abstractmethod
    def part_of(self, wire: str) -> Part:
        """The part that a field belongs to."""

    @abstractmethod
    def wire_of(self, part: Part, param: str) -> str:
        """The field that a refusal means; empty for none."""

    @abstractmethod
    def before(self, part: Part, wire: str) -> Any:
        """What a field of a part's body was before."""

    @abstractmethod
    def kind(self, part: Part) -> Kind:
        """The kind of record that shows whether somebody changed a part after it was sent."""

    async def foreseen(self, changed: Mapping[str, Any]) -> dict[str, str]:
        """What the service is known to refuse, by the field it belongs to, before anything is reviewed."""
        return {}

    # --- what is reviewed --------------------------------------------------------------------------------------

    def change(self, changed: Mapping[str, Any]) -> Change:
        """What is shown before it is sent."""
        self.changes = [(part, self._request(part, body)) for part, body in self.bodies(changed)]
        labels = {spec.wire: spec.label for spec in self._view.form.specs}
        requests = f", with {len(self.changes)} requests" if len(self.changes) > 1 else ""
        _, first = self.changes[0]
        return Several(
            label=self.label(),
            operation=first.operation,
            path=first.path,
            fields=tuple(self._field(wire, value) for wire, value in changed.items()),
            reach=f"Affects 1 {self.NOUN}{requests}.",
            warning=self._view.meanwhile.told(labels, self._view.contested),
            parts=tuple(change for _, change in self.changes),
        )

    def _field(self, wire: str, value: object) -> FieldChange:
        old, label = self._known.values.get(wire), self._view.form.spec(wire).label
        was = ""
        if wire in self._view.contested:
            was = f"  (somebody else changed it too; it was {drawn(self._view.meanwhile.changed[wire])})"
        if isinstance(old, list) and isinstance(value, list):
            return FieldChange(label, f"{len(old)}", _differences(old, value) + was)
        return FieldChange(label, self._called(old), self._called(value) + was)

    def _called(self, value: object) -> str:
        """A value as people read it: a record by its name."""
        return written(self._view.form.named.get(value, value) if isinstance(value, str) else value)

    def _request(self, part: Part, body: Mapping[str, Any]) -> Change:
        return Change(self.label(part), part.operation, self._known.path, body, undo=self._undo(part, body))

    def _undo(self, part: Part, body: Mapping[str, Any]) -> UndoEntry | None:
        """The request that puts back what was there; None where that was less than the operation demands."""
        old = {wire: self.before(part, wire) for wire in body}
        if any(spec.required and old.get(wire) is None for wire, spec in field_by_wire(part.body).items()):
            return None
        path, kind = dict(self._known.path), self.kind(part).name
        return UndoEntry(self.label(part), kind, self._known.id, part.operation, path, old, old, dict(body))

    # --- sending -----------------------------------------------------------------------------------------------

    async def send(self, _: Change) -> Mapping[str, Any]:
        """Send one request after the other. ChangedMeanwhile, before the first, when the record is not as it was
        reviewed; ServiceError when one is refused: what went through before it is not sent again."""
        await self._unchanged()
        answers = await send_in_turn(self._context, [change for _, change in self.changes], self._stopped)
        return answers[-1]

    def _stopped(self, sent: int) -> None:
        """A request was refused: what went through before it is how the record is now."""
        self._failed = self.changes[sent][0]
        gone = [part for part, _ in self.changes[:sent]]
        form = self._view.form
        through = {wire: value for wire, value in form.body().items() if self.part_of(wire) in gone}
        form.rebase({**form.before, **through})

    async def _unchanged(self) -> None:
        try:
            now = await self._read()
        except ReadError as trouble:
            raise ServiceError(f"{trouble.sentence} Nothing was sent.") from trouble
        form = self._view.form
        found = meanwhile(form.before, now.values, form.body())
        if found.changed:
            self._view.rebase(now.values, found)
            raise ChangedMeanwhile("Somebody else changed it just now, so nothing was sent: review it again.")

    def refused(self, error: Exception) -> dict[str, str]:
        """What was refused, by the field it belongs to; without one under an empty name."""
        part = self._failed
        if isinstance(error, ChangedMeanwhile) or part is None:
            return {"": str(error)}
        about, found = self.ABOUT.get(getattr(error, "code", None), ""), dict[str, str]()
        for problem in getattr(error, "problems", ()):
            found.setdefault(self.wire_of(part, problem.param or "") or about, problem.msg)
        return found or {about: str(error)}


async def review(context: Context, view: GuardedView, read: Callable[[], Awaitable[K]], sending: Begin[K]) -> bool:
    """Show what will be sent, after looking at what somebody else changed since editing began; whether it was sent."""
    form = view.form
    if not form.dirty:
        view.post_message(view.Said("Nothing was changed."))
        return False
    known = await read()
    view.rebase(known.values, meanwhile(form.before, known.values, form.body()))
    changed = form.body()
    if not changed:
        view.post_message(view.Said("It is so already: somebody else made the same changes meanwhile."))
        return False
    begun = sending(context, view, known, read)
    if foreseen := await begun.foreseen(changed):
        view.refuse(foreseen)
        return False
    outcome = await context.stage.ask(Preview(begun.change(changed), begun.send))
    if outcome is None:
        return False
    if outcome.error is not None:
        view.refuse(begun.refused(outcome.error))
        return False
    await context.stage.back()
    more = f" Each of the {len(begun.changes)} requests is undone by itself." if len(begun.changes) > 1 else ""
    context.stage.say(f"Changed. ctrl+z undoes it.{more}", "ok")
    return True


def _differences(old: Sequence[Any], new: Sequence[Any]) -> str:
    """How a list differs: what was added and taken out, and how many there are."""
    added = [f"+ {entry(each)}" for each in new if each not in old]
    gone = [f"- {entry(each)}" for each in old if each not in new]
    said = "; ".join((*added, *gone)) or "in another order"
    return f"{len(new)}: {said}"
