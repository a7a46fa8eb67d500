"""Editing a record in one form with several operations: one review of all requests, which never overwrites
unseen changes. The protocol has no versions, so the record is read again before the preview and before sending."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from svc_tui.client.errors import ServiceError, code_of, problems_of
from svc_tui.console.areas.voice.change_sequence import ChangeSequence, send_in_turn
from svc_tui.console.areas.voice.checked_form_view import CheckedFormView, drawn, entry
from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.form import Form
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.editing.conflicts import Conflicts, find_conflicts
from svc_tui.console.editing.record_edit import ChangedSinceReview
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.language import _
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.kind import Kind

if TYPE_CHECKING:
    from svc_tui.interface.voice.cloudpbx_editing import Part


class Snapshot(Protocol):
    """A record as it was read: its ID, its name, the path of its operations, and the editable values."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def path(self) -> Mapping[str, str]: ...
    @property
    def values(self) -> Mapping[str, Any]: ...


class EditedForm(Protocol):
    """The form of the record, with the fields that another administrator has changed too."""

    @property
    def form(self) -> Form: ...
    @property
    def conflicts(self) -> Conflicts: ...
    @property
    def conflicting(self) -> Sequence[str]: ...
    def rebase(self, now: Mapping[str, Any], found: Conflicts) -> None:
        """Continue with the current record."""


K = TypeVar("K", bound=Snapshot)
#: Starts the review of a record that was just read and can be read again.
Begin = Callable[[Context, CheckedFormView, K, Callable[[], Awaitable[K]]], "CheckedReview[K]"]


def data_of(body: Any) -> dict[str, Any]:
    """The record of a response. ReadError without one."""
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise ReadError(_("This record could not be read completely."))
    return data


class CheckedReview(ABC, Generic[K]):
    """One review: its requests, the number of sent ones, and the fields of a refusal.

    `read` reads the record again. Subclasses define the parts of a record and their names.
    """

    #: The kind of record, in one word.
    NOUN: ClassVar[str]
    #: Fields of error codes that do not name their field.
    ABOUT: ClassVar[Mapping[int | None, str]] = {}

    def __init__(self, context: Context, view: EditedForm, known: K, read: Callable[[], Awaitable[K]]) -> None:
        self._context, self._view, self._known, self._read = context, view, known, read
        self.changes: list[tuple[Part, Change]] = []
        self._failed: Part | None = None

    @abstractmethod
    def label(self, part: Part | None = None) -> str:
        """The label of the review, or of one part of it."""

    @abstractmethod
    def bodies(self, changed: Mapping[str, Any]) -> Sequence[tuple[Part, Mapping[str, Any]]]:
        """The parts with changed values, and the body of each request."""

    @abstractmethod
    def part_of(self, wire: str) -> Part:
        """The part of a field."""

    @abstractmethod
    def wire_of(self, part: Part, param: str) -> str:
        """The field of a refusal; empty without one."""

    @abstractmethod
    def before(self, part: Part, wire: str) -> Any:
        """The previous value of a field in a part's body."""

    @abstractmethod
    def kind(self, part: Part) -> Kind:
        """The kind of record that shows later changes of a part."""

    async def known_refusals(self, changed: Mapping[str, Any]) -> dict[str, str]:
        """Refusals that are known before the preview, by field."""
        return {}

    def calls(self) -> Sequence[CommandCall]:
        """The requests of the current changes of the form, before they are reviewed; none without changes."""
        changed = self._view.form.body()
        return self.change(changed).calls if changed else ()

    # --- preview --------------------------------------------------------------------------------------

    def change(self, changed: Mapping[str, Any]) -> ChangeSequence:
        """The change to preview."""
        self.changes = [(part, self._request(part, body)) for part, body in self.bodies(changed)]
        labels = {spec.wire: spec.label for spec in self._view.form.specs}
        requests = _(", with {changes} requests").format(changes=len(self.changes)) if len(self.changes) > 1 else ""
        __, first = self.changes[0]
        return ChangeSequence(
            label=self.label(),
            operation=first.operation,
            path=first.path,
            fields=tuple(self._field(wire, value) for wire, value in changed.items()),
            reach=_("Affects 1 {noun}{requests}.").format(noun=self.NOUN, requests=requests),
            warning=self._view.conflicts.warning(labels, self._view.conflicting),
            parts=tuple(change for __, change in self.changes),
        )

    def _field(self, wire: str, value: object) -> FieldChange:
        old, label = self._known.values.get(wire), self._view.form.spec(wire).label
        was = ""
        if wire in self._view.conflicting:
            was = _("  (also changed by another administrator, from {changed})").format(
                changed=drawn(self._view.conflicts.changed[wire], self._view.form.spec(wire))
            )
        if isinstance(old, list) and isinstance(value, list):
            return FieldChange(label, f"{len(old)}", _differences(old, value) + was)
        return FieldChange(label, self._value_text(wire, old), self._value_text(wire, value) + was)

    def _value_text(self, wire: str, value: object) -> str:
        """A value as text: a record by its name."""
        named = self._view.form.named.get(value, value) if isinstance(value, str) else value
        return value_text(named, self._view.form.spec(wire))

    def _request(self, part: Part, body: Mapping[str, Any]) -> Change:
        return Change(self.label(part), part.operation, self._known.path, body, undo=self._undo(part, body))

    def _undo(self, part: Part, body: Mapping[str, Any]) -> UndoEntry | None:
        """The request that restores the previous values; None where they lack a required value."""
        old = {wire: self.before(part, wire) for wire in body}
        if any(spec.required and old.get(wire) is None for wire, spec in field_by_wire(part.body).items()):
            return None
        path, kind = dict(self._known.path), self.kind(part).name
        return UndoEntry(self.label(part), kind, self._known.id, part.operation, path, old, old, dict(body))

    # --- sending -----------------------------------------------------------------------------------------------

    async def send(self, __: Change) -> Mapping[str, Any]:
        """Send one request after the other. ChangedSinceReview before the first, when the record has changed since
        the preview; ServiceError when one is refused: successful requests are not sent again."""
        await self._check_unchanged()
        answers = await send_in_turn(self._context, [change for __, change in self.changes], self._stopped)
        return answers[-1]

    def _stopped(self, sent: int) -> None:
        """After a refused request: the successful ones become the current values of the form."""
        self._failed = self.changes[sent][0]
        gone = [part for part, __ in self.changes[:sent]]
        form = self._view.form
        through = {wire: value for wire, value in form.body().items() if self.part_of(wire) in gone}
        form.rebase({**form.before, **through})

    async def _check_unchanged(self) -> None:
        try:
            now = await self._read()
        except ReadError as error:
            raise ServiceError(_("{sentence} Nothing was sent.").format(sentence=error.sentence)) from error
        form = self._view.form
        found = find_conflicts(form.before, now.values, form.body())
        if found.changed:
            self._view.rebase(now.values, found)
            raise ChangedSinceReview(
                _("Not sent: another administrator has just changed the record. Review your changes again.")
            )

    def refused(self, error: Exception) -> dict[str, str]:
        """Refusals by field; without a field under an empty name."""
        part = self._failed
        if isinstance(error, ChangedSinceReview) or part is None:
            return {"": str(error)}
        about, found = self.ABOUT.get(code_of(error), ""), dict[str, str]()
        for problem in problems_of(error):
            found.setdefault(self.wire_of(part, problem.param or "") or about, problem.msg)
        return found or {about: str(error)}


async def review(context: Context, view: CheckedFormView, read: Callable[[], Awaitable[K]], sending: Begin[K]) -> bool:
    """Preview and send the changes, after a check for conflicts; returns whether they were sent."""
    form = view.form
    if not form.dirty:
        view.post_message(view.StatusMessage(_("Nothing was changed.")))
        return False
    known = await read()
    view.rebase(known.values, find_conflicts(form.before, known.values, form.body()))
    changed = form.body()
    if not changed:
        view.post_message(view.StatusMessage(_("Nothing to send: the record already has these values.")))
        return False
    started = sending(context, view, known, read)
    if known_refusals := await started.known_refusals(changed):
        view.refuse(known_refusals)
        return False
    outcome = await context.stage.ask(Preview(started.change(changed), started.send))
    if outcome is None:
        return False
    if outcome.error is not None:
        view.refuse(started.refused(outcome.error))
        return False
    await context.stage.back()
    more = (
        _(" Undo applies to each of the {changes} requests separately.").format(changes=len(started.changes))
        if len(started.changes) > 1
        else ""
    )
    context.stage.show_message(context.with_keys(_("Changed. {{undo}} undoes it.{more}").format(more=more)), "ok")
    return True


def _differences(old: Sequence[Any], new: Sequence[Any]) -> str:
    """The differences of a list: added and removed rows, and their number."""
    added = [f"+ {entry(each)}" for each in new if each not in old]
    gone = [f"- {entry(each)}" for each in old if each not in new]
    text = "; ".join((*added, *gone)) or _("order changed")
    return f"{len(new)}: {text}"
