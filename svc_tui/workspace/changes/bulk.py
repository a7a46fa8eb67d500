"""One operation on many records, as a job: dry run, then the first, then the rest; to be paused and stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from svc_tui.interface.access import Decision, Subject
from svc_tui.workspace.core.events import Listeners
from svc_tui.workspace.core.service import Performer

if TYPE_CHECKING:
    from svc_tui.workspace.changes.unconfirmed_writes import Finding

JobState = Literal["new", "checked", "running", "paused", "tried", "stopped", "finished"]
Outcome = Literal["waiting", "refused", "done", "failed", "unclear"]


@dataclass(frozen=True, slots=True)
class Step:
    """The operation on one record, or on a batch of several whose `ids` are given.

    `subject` is who it belongs to, where that is known.
    """

    record_id: str
    label: str = ""
    path: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    subject: Subject | None = None
    query: Mapping[str, object] = field(default_factory=dict)
    ids: tuple[str, ...] = ()

    @property
    def records(self) -> tuple[str, ...]:
        """The ids of all records that it reaches."""
        return self.ids or (self.record_id,)


@dataclass(slots=True)
class Result:
    """What became of a step. `refused`: the dry run found that it would not be allowed; it is left out.

    `unclear`: it was sent and no answer came. `sentence` says why it did not go well, `answer` is the body that came
    when it did.
    """

    step: Step
    outcome: Outcome = "waiting"
    sentence: str = ""
    answer: Mapping[str, Any] = field(default_factory=dict)


class JobService(Performer, Protocol):
    """What a job needs of the workspace."""

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision: ...
    async def find_out(self, operation_id: str, path: Mapping[str, str]) -> Finding | None:
        """What became of a change that costs and got no answer; None of any other."""


class Job:
    """Performs the steps one after the other. Nothing raises: each result says how it went.

    When the service is not there, or the session is over, the job pauses with a sentence in `trouble` and nothing is
    lost: `resume` goes on with the same step.
    """

    def __init__(
        self,
        service: JobService,
        operation_id: str,
        steps: Sequence[Step],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.operation_id = operation_id
        self.results = [Result(step) for step in steps]
        self.state: JobState = "new"
        self.trouble = ""
        self._service, self._seconds = service, seconds
        self._go = asyncio.Event()
        self._go.set()
        self._stopping = False
        self._spent = 0.0
        self._listeners: Listeners[None] = Listeners()

    def count(self, *outcomes: Outcome) -> int:
        """How many records came to one of these."""
        return sum(len(result.step.records) for result in self.results if result.outcome in outcomes)

    @property
    def total(self) -> int:
        """How many records it is about."""
        return sum(len(result.step.records) for result in self.results)

    @property
    def done(self) -> int:
        return self.count("done")

    @property
    def failed(self) -> int:
        """Records with which it did not go well, those that nobody knows of among them."""
        return self.count("failed", "unclear")

    @property
    def left(self) -> int:
        return self.count("waiting")

    @property
    def rate(self) -> float | None:
        """Records a second, pauses not counted; None before the first."""
        tried = self.done + self.failed
        return tried / self._spent if tried and self._spent > 0 else None

    @property
    def time_left(self) -> float | None:
        """Seconds that the rest will take, None before the first."""
        return self.left / self.rate if self.rate else None

    @property
    def not_done(self) -> tuple[str, ...]:
        """Ids of all records that the job did not change for sure: the new marks."""
        return tuple(id for result in self.results if result.outcome != "done" for id in result.step.records)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Be told after each step and change of state; returns what ends it."""
        return self._listeners.add(lambda _: callback())

    def dry_run(self) -> None:
        """Find out, without sending anything, which steps would be refused: by the role or by the values."""
        for result in self.results:
            result.sentence = self._objection(result.step)
            result.outcome = "refused" if result.sentence else "waiting"
        self._set("checked" if self.left else "finished")

    async def first(self) -> Result | None:
        """Perform one step, to see how it goes; None when there is none left."""
        result = next((result for result in self.results if result.outcome == "waiting"), None)
        if result is not None:
            self._set("running")
            await self._perform(result)
            self._end("tried")
        return result

    async def rest(self) -> None:
        """Perform all that is left, until it is done or stopped."""
        self._set("running")
        for result in self.results:
            if result.outcome == "waiting" and not self._stopping:
                await self._perform(result)
        self._end("finished")

    def pause(self) -> None:
        """Begin no further step; the one under way is finished."""
        if self.state == "running":
            self._go.clear()
            self._set("paused")

    def resume(self) -> None:
        """Go on."""
        if self.state == "paused":
            self.trouble = ""
            self._go.set()
            self._set("running")

    def stop(self) -> None:
        """Begin no further step, for good."""
        self._stopping = True
        self._go.set()
        if self.state != "running":
            self._set("stopped")

    def _objection(self, step: Step) -> str:
        from svc_tui.interface.catalogue import operation
        from svc_tui.interface.problems import problems_of

        decision = self._service.decide(self.operation_id, step.subject)
        if not decision:
            return decision.reason
        wanted = operation(self.operation_id)
        problems = problems_of(wanted.body, step.body or {}) if wanted.sends_body else []
        return "; ".join(f"{problem.param} {problem.msg}" for problem in problems)

    async def _perform(self, result: Result) -> None:
        """One step; again after a pause that its own failure made."""
        while result.outcome == "waiting":
            await self._go.wait()
            if self._stopping:
                return
            before = self._seconds()
            await self._try(result)
            self._spent += self._seconds() - before
            self._listeners.tell(None)

    async def _try(self, result: Result) -> None:
        from svc_tui.client.errors import OutcomeUnknown, ServiceError, SessionEnded, Unreachable

        step = result.step
        try:
            answer = await self._service.perform(self.operation_id, path=step.path, query=step.query, body=step.body)
        except (Unreachable, SessionEnded) as error:
            # It was not done, and the next one would not be either.
            self.trouble = error.sentence
            self._go.clear()
            self._set("paused")
        except OutcomeUnknown as error:
            result.outcome, result.sentence = await self._found(step, error.sentence)
        except ServiceError as error:
            result.outcome, result.sentence = "failed", error.sentence
        else:
            result.outcome, result.answer = "done", answer

    async def _found(self, step: Step, sentence: str) -> tuple[Outcome, str]:
        """What came of a step without an answer, as far as looking at the service tells."""
        found = await self._service.find_out(self.operation_id, step.path)
        if found is None or found.done is None:
            return "unclear", found.sentence if found else sentence
        return ("done" if found.done else "failed"), found.sentence

    def _end(self, state: JobState) -> None:
        if self._stopping:
            self._set("stopped")
        else:
            self._set(state if self.left else "finished")

    def _set(self, state: JobState) -> None:
        if state != self.state:
            self.state = state
            self._listeners.tell(None)
