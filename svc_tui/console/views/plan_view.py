"""The plan of a document as a view: steps in groups, with their outcomes once they are applied."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import work
from textual.app import ComposeResult

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.places import Place
from svc_tui.console.views.sheet_view import WrappedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.access import Caller, Decision, Subject
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.interface.problems import why_not_settable
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files import company_plan, company_steps
from svc_tui.workspace.files.company_document import Document
from svc_tui.workspace.files.company_drift import aimed_at
from svc_tui.workspace.files.company_export import clone_of, document_from, exported, questions
from svc_tui.workspace.files.company_extras import DDIS, DEVICES, EXTENSIONS, LICENCES
from svc_tui.workspace.files.company_steps import Created, Plan, Step
from svc_tui.workspace.files.positioned_yaml import FaultyDocument
from svc_tui.workspace.users.company_users import document_at

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

__all__ = ["SIGNS", "PlanView", "exported", "fault", "like", "model_of", "of_file", "place_of", "questions"]

SIGNS = {"create": "+", "update": "~", "remove": "-"}
_OUTCOMES = {"done": _("done"), "refused": _("refused"), "unknown": _("unknown"), "skipped": _("not done")}
_STYLES = {"done": "ok", "refused": "bad", "unknown": "warn", "skipped": "warn"}
#: Components whose steps give a user something, or take it.
_OF_USERS = (LICENCES, DDIS, DEVICES, EXTENSIONS)


#: The parameters of paths that lead to a record, the nearest first, with the kind of the record.
_PLACES = (
    ("siteId", "sites"),
    ("templateId", "templates"),
    ("userId", "users"),
    ("systemId", "cloudpbxs"),
    ("companyId", "companies"),
)


class PlanService:
    """The workspace, as a plan asks it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.read, self.perform = workspace.read, workspace.perform

    @property
    def caller(self) -> Caller:
        """The user. ReadError without a login."""
        if self._workspace.caller is None:
            raise ReadError(_("Not logged in."))
        return self._workspace.caller

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision:
        return self._workspace.decide(operation_id, subject)

    def why_not_settable(self, spec: FieldSpec) -> str:
        return why_not_settable(spec, self.caller.roles)


class PlanView(WrappedView):
    """The steps of a plan in groups, each with its outcome once it is applied.

    `read` returns the document as it is now. FaultyDocument, OSError and ValueError when it cannot.
    """

    kind = "report"
    LABEL, BESIDE = 46, 5

    def __init__(self, name: str, read: Callable[[], Document], workspace: Workspace) -> None:
        super().__init__(Place(("plan",)))
        self._document, self._read, self._workspace = name, read, workspace
        self.plan: Plan | None = None
        self.filter_text = ""
        self.error_message = ""
        self.applying = False
        self._part = ""

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=self.LABEL, whole_labels=True)

    def on_mount(self) -> None:
        super().on_mount()
        self.refresh_now()

    @property
    def crumb(self) -> str:
        return _("Plan of {name}").format(name=self._document)

    @property
    def record(self) -> Mapping[str, Any] | None:
        return None

    @property
    def ready(self) -> bool:
        return self.plan is not None or bool(self.error_message)

    def refresh_now(self) -> None:
        if not self.applying:
            self._make()

    @work(exclusive=True, group="plan", exit_on_error=False)
    async def _make(self) -> None:
        self.plan, self.error_message = None, ""
        try:
            document = await asyncio.to_thread(self._read)
            folder = self._workspace.folders.data / "imports"
            self.plan = await company_plan.planned(PlanService(self._workspace), document, self._notice, folder)
        except FaultyDocument as faulty:
            self.error_message = "\n".join(map(str, faulty.faults[:50]))
        except UnicodeError:
            self.error_message = _("{name} is not UTF-8 text.").format(name=self._document)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self.error_message = _("{name} cannot be read: {reason}").format(name=self._document, reason=reason)
        except ReadError as error:
            self.error_message = error.sentence
        self._part = ""
        self._show()
        if self.is_attached:
            self.home()

    def _notice(self, part: str) -> None:
        self._part = part
        self.notify_changed()

    def _show(self) -> None:
        if self.is_attached:
            self.draw()
            self.notify_changed()

    # --- drawing -------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> list[tuple[int, Step]]:
        """The steps that the filter finds, with their numbers."""
        words = self.filter_text.casefold().split()
        every = enumerate(self.plan.steps if self.plan else ())
        return [(at, step) for at, step in every if all(word in _searched(step) for word in words)]

    def lines(self) -> Iterable[Line]:
        if self.error_message:
            yield from (Line("text", value=safe(line), style="bad") for line in self.error_message.splitlines())
        if self.plan is None:
            return
        if not self.plan.steps:
            yield Line("text", value=_("No changes."))
        groups: dict[str, list[tuple[int, Step]]] = {}
        for at, step in self.shown:
            groups.setdefault(step.component.title, []).append((at, step))
        for title, group in groups.items():
            yield Line("heading", f"{_(title)}  {len(group)}")
            for at, step in group:
                yield from _lines_of(at, step)
        if not self.filter_text:
            yield from (Line("text", value=safe(sentence), style="warn") for sentence in self.plan.unchecked)

    @property
    def step(self) -> Step | None:
        """The selected step."""
        key = self.sheet.line.key if self.is_attached and self.sheet.line is not None else ""
        return self.plan.steps[int(key)] if self.plan and key.isdigit() and int(key) < len(self.plan.steps) else None

    def status(self) -> Sequence[Piece]:
        if self.plan is None:
            return [] if self.error_message else [Piece(_(" Comparing… {part}").format(part=self._part))]
        steps = self.plan.steps
        counts = {effect: sum(step.effect == effect for step in steps) for effect in SIGNS}
        text = _(" {create} to create, {update} to update, {remove} to remove").format(**counts)
        pieces = [Piece(text)]
        if refused := len(self.plan.refused):
            pieces.append(Piece(_("   {refused} refused").format(refused=refused), "bad"))
        if tried := sum(bool(step.outcome) for step in steps):
            done = sum(step.outcome == "done" for step in steps)
            pieces.append(Piece(_("   {done} of {steps} done").format(done=done, steps=len(steps)), "ok"))
            if tried < len(steps) and self.applying:
                pieces.append(Piece(_("   applying…"), "accent"))
        if self.filter_text:
            found = _("   {found} with “{filter}”").format(found=len(self.shown), filter=safe(self.filter_text))
            pieces.append(Piece(found, "accent"))
        return pieces

    # --- applying ------------------------------------------------------------------------------------------------

    @work(exclusive=True, group="plan", exit_on_error=False)
    async def apply(self, *, prune: bool) -> None:
        """Do the steps, and show each with its outcome."""
        plan = self.plan
        if plan is None:
            return
        self.applying = True
        try:
            async for _step in company_steps.apply(PlanService(self._workspace), plan, prune=prune):
                self._show()
        except ServiceError as error:
            again = self.with_keys(_("{refresh} plans what is left."))
            self.error_message = f"{error.sentence} {again}"
        finally:
            self.applying = False
            self._show()

    def may_leave(self) -> bool:
        return not self.applying

    @property
    def loss(self) -> str:
        return _("The plan is being applied. `:plan` continues what is left.") if self.applying else ""


def _lines_of(at: int, step: Step) -> Iterator[Line]:
    name, values = step.name, []
    if step.effect == "create":
        # What is the name already is not said again.
        new = (f"{each.field}: {_value(each.after)}" for each in step.changes if each.after != step.name)
        values = list(filter(None, [", ".join(new)]))
    elif step.changes:
        values = [f"{each.field}: {_value(each.before)} → {_value(each.after)}" for each in step.changes]
    if step.component.name in _OF_USERS and ": " in name:
        # A user, and what the user gets or loses.
        name, given = name.split(": ", 1)
        values.insert(0, given)
    beside = [(text, "") for text in values]
    if step.price:
        beside.append((step.price.text, "dim"))
    if sentence := step.sentence or step.refusal:
        beside.append((sentence, "bad"))
    label, note = f"{SIGNS[step.effect]} {name}", _OUTCOMES.get(step.outcome, "")
    for text, style in beside or [("", "")]:
        yield Line(
            *("field", safe(label), safe(text), note, str(at)),
            style=style,
            note_style=_STYLES.get(step.outcome, "dim"),
        )
        label = note = ""


def _value(value: Any) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _searched(step: Step) -> str:
    changes = " ".join(f"{each.field} {each.before} {each.after}" for each in step.changes)
    words = (step.effect, step.component.name, step.name, changes, step.refusal, step.outcome)
    return " ".join(words).casefold()


def place_of(step: Step) -> Place | None:
    """The record that a step changes or belongs to; None for one that is created."""
    ids = {name: id for name, id in step.path.items() if not isinstance(id, Created)}
    if step.effect == "create":
        return None
    if {"companyId", "subscriptionId"} <= set(ids):
        return Place(("companies", ids["companyId"], "subscriptions", ids["subscriptionId"]))
    return next((Place((kind, ids[name])) for name, kind in _PLACES if name in ids), None)


def of_file(path: Path, workspace: Workspace, company: RecordData | None = None) -> PlanView:
    """The plan of a document, or what differs from it in another company."""
    if company is None:
        return PlanView(path.name, lambda: document_at(path), workspace)
    name = f"{path.name} · {company.get('name')}"
    return PlanView(name, lambda: aimed_at(document_at(path), company), workspace)


async def model_of(workspace: Workspace, company: RecordData) -> Document:
    """A company as the model of another one. ReadError."""
    return await document_from(workspace, company, whole=False)


def like(title: str, model: Document, answers: str, workspace: Workspace) -> PlanView:
    """The plan of another company like a model, with what must be unique."""
    return PlanView(title, lambda: clone_of(model, answers), workspace)


def fault(model: Document, answers: str) -> tuple[str, str]:
    """The error in answers for another company like a model, and no warning."""
    try:
        clone_of(model, answers)
    except FaultyDocument as faulty:
        return "", str(faulty.faults[0])
    return "", ""
