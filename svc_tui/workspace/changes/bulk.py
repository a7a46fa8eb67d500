"""One operation on many records as a job: dry run, first record, all others; it can be paused and stopped."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from svc_tui.client.errors import OutcomeUnknown, ServiceError, SessionEnded, Unreachable
from svc_tui.interface.access import Decision, Subject
from svc_tui.interface.catalogue import operation
from svc_tui.interface.problems import problems_of
from svc_tui.language import _
from svc_tui.workspace.core.events import Listeners
from svc_tui.workspace.core.service import CREATED, Performer

if TYPE_CHECKING:
    from svc_tui.client.content import Content, Stream
    from svc_tui.interface.data import RecordData
    from svc_tui.workspace.changes.journal import UndoEntry
    from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome
    from svc_tui.workspace.core.service import Reader

JobState = Literal["new", "checked", "running", "paused", "tried", "stopped", "finished"]
StepOutcome = Literal["waiting", "refused", "unchanged", "done", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class JobStep:
    """The operation on one record, or on a batch of records with `ids`. `subject` is the owner, where known.

    `operation_id` is its operation where it is not that of the job. `undo` undoes it; all of a job are one entry of the
    journal. `check` is called before it is sent, and returns what is sent now: None when the record has these values
    already. ServiceError of it: the step is not sent. After a missing response it is called again when the job
    continues, which is then certain of the outcome. The steps `following` belong to the same record: each is sent when
    the one before it was made; `CREATED` in their paths is the ID of the record that one of them created, and
    `created_by` of a `name`, also in a body, that of the record which the request of this name created.
    """

    record_id: str
    label: str = ""
    path: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    subject: Subject | None = None
    query: Mapping[str, object] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    operation_id: str = ""
    undo: UndoEntry | None = None
    check: Callable[[], Awaitable[JobStep | None]] | None = None
    following: tuple[JobStep, ...] = ()
    name: str = ""

    @property
    def records(self) -> tuple[str, ...]:
        """The ids of all records of the step."""
        return self.ids or (self.record_id,)


@dataclass(slots=True)
class StepResult:
    """The result of a step. `refused`: the dry run found that it is not allowed; it is skipped.

    `unchanged`: the record has the values already. `unknown`: it was sent and got no response. `sentence` is the reason
    of a failure, `answer` the body of a success, `sent` the number of its requests that were made. `unsure`: the last
    request got no response.
    """

    step: JobStep
    outcome: StepOutcome = "waiting"
    sentence: str = ""
    answer: Mapping[str, Any] = field(default_factory=dict)
    sent: int = 0
    unsure: bool = False
    #: The IDs of the records that its requests created, as `created_by` names them.
    created: dict[str, str] = field(default_factory=dict)


class JobService(Performer, Protocol):
    """What a job needs of the workspace."""

    @property
    def user_id(self) -> str:
        """The user who is logged in; empty without one."""

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision: ...
    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = ...,
        query: Mapping[str, object] = ...,
        body: Mapping[str, object] | Content | Stream | None = ...,
        undo: UndoEntry | None = ...,
    ) -> dict[str, Any]: ...
    def remember(self, undo: UndoEntry) -> None:
        """Add a change to the undo journal that was made without a response."""

    async def verify(self, operation_id: str, path: Mapping[str, str]) -> VerifiedOutcome | None:
        """Verify an unconfirmed write; None when the write of this operation is not unconfirmed."""


class JobRecorder(Protocol):
    """Records the steps of a job, so that it can continue after the program was killed, and verifies their outcome."""

    def sending(self, step: JobStep) -> None:
        """Called before a step is sent. ServiceError: it fails and is not sent."""

    def ended(self, result: StepResult) -> None:
        """Called when the outcome of a step that was sent is known, or certainly unknown."""

    async def verify(self, step: JobStep) -> VerifiedOutcome | None:
        """The outcome of a step without a response; None where it cannot be verified."""


class Job:
    """Performs the steps one after the other. Errors are in the results; an internal error stops the job and is raised.

    When the service is unreachable or the session expired, the job pauses with a sentence in `error_message`: `resume`
    continues with the same step. It also pauses after a step whose outcome is unknown, because the next ones could get
    no response either: `resume` continues with the step after it. It stops with a sentence before it would change
    records as another user than the one who began it.
    """

    def __init__(
        self,
        service: JobService,
        operation_id: str,
        steps: Sequence[JobStep],
        seconds: Callable[[], float] = time.monotonic,
        recorder: JobRecorder | None = None,
    ) -> None:
        self.operation_id = operation_id
        self.results = [StepResult(step) for step in steps]
        #: The number of its entry in the undo journal.
        self.number = uuid.uuid4().hex
        self.state: JobState = "new"
        self.error_message = ""
        self._service, self._seconds, self._recorder = service, seconds, recorder
        self._user_id = service.user_id
        self._go = asyncio.Event()
        self._go.set()
        self._stopping = False
        self._spent = 0.0
        self._listeners: Listeners[None] = Listeners()

    def operation_of(self, step: JobStep) -> str:
        """The operation of a step."""
        return step.operation_id or self.operation_id

    def count(self, *outcomes: StepOutcome) -> int:
        """Number of records with one of these outcomes."""
        return sum(len(result.step.records) for result in self.results if result.outcome in outcomes)

    @property
    def total(self) -> int:
        """Number of records of the job."""
        return sum(len(result.step.records) for result in self.results)

    @property
    def done(self) -> int:
        return self.count("done")

    @property
    def failed(self) -> int:
        return self.count("failed")

    @property
    def unknown(self) -> int:
        return self.count("unknown")

    @property
    def left(self) -> int:
        return self.count("waiting")

    @property
    def rate(self) -> float | None:
        """Records a second without pauses; None before the first."""
        tried = self.done + self.failed + self.unknown
        return tried / self._spent if tried and self._spent > 0 else None

    @property
    def time_left(self) -> float | None:
        """Seconds left, None before the first."""
        return self.left / self.rate if self.rate else None

    @property
    def not_done(self) -> tuple[str, ...]:
        """Ids of all records that the job did not certainly change: they become the marks."""
        left = (result.step for result in self.results if result.outcome not in ("done", "unchanged"))
        return tuple(dict.fromkeys(id for step in left for id in step.records))

    @property
    def undoable(self) -> int:
        """Number of records with something in the journal that undoes their change, or a part of it."""
        return sum(
            len(result.step.records)
            for result in self.results
            if any(each.undo is not None for each in (result.step, *result.step.following)[: result.sent])
        )

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after each step and change of state; returns the function that unsubscribes."""
        return self._listeners.add(lambda _: callback())

    def dry_run(self) -> None:
        """Check without sending which steps would be refused, for the role or for the values."""
        for result in self.results:
            result.sentence = self._objection(result.step)
            result.outcome = "refused" if result.sentence else "waiting"
        self._set("checked" if self.left else "finished")

    async def first(self) -> StepResult | None:
        """Perform one step as a test; None when none is left."""
        result = next((result for result in self.results if result.outcome == "waiting"), None)
        if result is not None:
            with self._running("tried"):
                await self._perform(result)
        return result

    async def rest(self) -> None:
        """Perform all steps left, until the end or until stopped."""
        with self._running("finished"):
            for result in self.results:
                if result.outcome == "waiting" and not self._stopping:
                    await self._perform(result)

    def pause(self) -> None:
        """Start no further step; the step in progress is completed."""
        if self.state == "running":
            self._go.clear()
            self._set("paused")

    def resume(self) -> None:
        """Continue after a pause."""
        if self.state == "paused":
            self.error_message = ""
            self._go.set()
            self._set("running")

    def stop(self) -> None:
        """Start no further step and end the job."""
        self._stopping = True
        self._go.set()
        if self.state != "running":
            self._set("stopped")

    def _objection(self, step: JobStep) -> str:
        decision = self._service.decide(self.operation_of(step), step.subject)
        if not decision:
            return decision.reason
        declared = operation(self.operation_of(step))
        problems = problems_of(declared.body, step.body or {}) if declared.sends_body else []
        return "; ".join(f"{problem.param} {problem.msg}" for problem in problems)

    async def _perform(self, result: StepResult) -> None:
        """Perform one step, again after a pause that its failure caused."""
        while result.outcome == "waiting":
            await self._go.wait()
            if self._user_id and self._service.user_id not in (self._user_id, ""):
                self.error_message = _("Another user has logged in.")
                self._stopping = True
            if self._stopping:
                result.outcome = "unknown" if result.unsure else "waiting"
                return
            before = self._seconds()
            await self._try(result)
            self._spent += self._seconds() - before
            self._listeners.notify(None)

    async def _try(self, result: StepResult) -> None:
        step = result.step
        try:
            if step.check is not None and not result.sent:
                checked = await step.check()
                if checked is None:
                    self._found_done(result)
                    return
                step = result.step = checked
            if self._recorder is not None:
                self._recorder.sending(step)
            for each in (step, *step.following)[result.sent :]:
                made = _with_created(each, result)
                undo = replace(made.undo, job=self.number) if made.undo else None
                path = {name: _created(result) if value == CREATED else value for name, value in made.path.items()}
                answer = await self._service.perform(
                    self.operation_of(each), path=path, query=each.query, body=made.body, undo=undo
                )
                result.sent += 1
                creates = bool(operation(self.operation_of(each)).creates)
                if creates or not result.answer:
                    result.answer = answer
                if creates:
                    result.created[created_by(each.name)] = _created(result)
        except (Unreachable, SessionEnded) as error:
            # It was not done, and the next step would fail as well.
            self._pause_with(error.sentence)
        except OutcomeUnknown as error:
            if step.check is not None and not operation(self.operation_of(step)).costs:
                result.unsure, result.sentence = True, error.sentence
                self._pause_with(error.sentence)
                return
            # It stays unknown if the verification is cancelled.
            result.outcome, result.sentence = "unknown", error.sentence
            result.outcome, result.sentence = await self._verify(step, error.sentence)
            if result.outcome == "unknown" and self.left:
                self._pause_with(result.sentence)
        except ServiceError as error:
            result.outcome, result.sentence = "failed", error.sentence
        except BaseException:
            # An internal error or a cancellation: it may have been sent.
            result.outcome = "unknown"
            raise
        else:
            result.outcome, result.sentence = "done", ""
        if self._recorder is not None:
            self._recorder.ended(result)

    def _found_done(self, result: StepResult) -> None:
        """The record has the values already: those of a request without a response, or of another administrator."""
        result.outcome = "done" if result.unsure else "unchanged"
        result.sentence = ""
        if result.unsure and result.step.undo is not None:
            result.sent += 1
            self._service.remember(replace(result.step.undo, job=self.number))

    def _pause_with(self, sentence: str) -> None:
        self.error_message = sentence
        if not self._stopping:
            self._go.clear()
            self._set("paused")

    async def _verify(self, step: JobStep, sentence: str) -> tuple[StepOutcome, str]:
        """The outcome of a step without a response, as far as it can be verified."""
        if self._recorder is not None:
            verified = await self._recorder.verify(step)
        else:
            verified = await self._service.verify(self.operation_of(step), step.path)
        if verified is None or verified.done is None:
            return "unknown", verified.sentence if verified else sentence
        return ("done" if verified.done else "failed"), verified.sentence

    @contextmanager
    def _running(self, afterwards: JobState) -> Iterator[None]:
        """Perform steps in a block. A job that an internal error or a cancellation ends is stopped."""
        self._set("running")
        try:
            yield
        except BaseException:
            self._set("stopped")
            raise
        self._go.set()
        self._set("stopped" if self._stopping else afterwards if self.left else "finished")

    def _set(self, state: JobState) -> None:
        if state != self.state:
            self.state = state
            self._listeners.notify(None)


def created_by(name: str) -> str:
    """Stands for the ID of the record that the request of this name created earlier in the same step."""
    return f"{CREATED} {name}"


def _with_created(step: JobStep, result: StepResult) -> JobStep:
    """A request with the IDs of the records that were created before it."""
    if not (known := result.created):
        return step

    def filled(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: known.get(value, value) if isinstance(value, str) else value for name, value in values.items()}

    undo = step.undo and replace(step.undo, path=filled(step.undo.path), after=filled(step.undo.after))
    return replace(step, path=filled(step.path), body=step.body if step.body is None else filled(step.body), undo=undo)


def _created(result: StepResult) -> str:
    """The ID of the record that a request of the step has created."""
    data = result.answer.get("data")
    return str(data.get("id") or "") if isinstance(data, Mapping) else ""


class SubscriberFileError(Exception):
    """A file without readable lines; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class PlannedPhones:
    """The plan for the lines of one user, or for a device of the stock: its requests, or what prevents them.

    Without either, the CloudPBX has everything already. `gets` is what is given, in short.
    """

    lines: tuple[int, ...]
    name: str
    number: str = ""
    problem: str = ""
    gets: str = ""
    request: JobStep | None = None
    #: Whether the password of the extension is that of the file.
    password: bool = False

    @property
    def id(self) -> str:
        """The lines, as its step in a job is named."""
        return ", ".join(map(str, self.lines))

    @property
    def step(self) -> JobStep:
        """The step of the job."""
        label = " ".join(part for part in (self.number, self.name) if part)
        return replace(self.request or JobStep(""), record_id=self.id, label=f"{self.id}: {label}")


@dataclass(frozen=True, slots=True)
class PhoneFile:
    """A file of telephones: the headings of the columns that are not read, and the plan of its lines.

    `planned` takes the CloudPBX, and why an operation may not be called. ReadError.
    """

    unread: Sequence[str]
    planned: Callable[[Reader, RecordData, Callable[[str], str]], Awaitable[list[PlannedPhones]]]
