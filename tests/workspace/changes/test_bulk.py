"""One operation on many records: dry run, first record, all others; pause, stop, and a result for each record."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from svc_tui.client.errors import OutcomeUnknown, Refused, ServiceError, SessionEnded, Unreachable
from svc_tui.interface.access import Decision, Subject
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome
from svc_tui.workspace.core.service import CREATED
from tests.workspace.line import until


class Performer:
    """A scripted service: `answers` by record id, `done` in order."""

    def __init__(self) -> None:
        self.answers: dict[str, Exception] = {}
        self.done: list[str] = []
        self.found: dict[str, VerifiedOutcome] = {}
        self.seconds = 0.0
        self.user_id = "first"
        self.undone_by: list[UndoEntry] = []
        self.gate = asyncio.Event()
        self.gate.set()

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision:
        return Decision(subject is None or subject.owner_id == "me", "your role is limited to your own records")

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
        body: Mapping[str, object] | None = None,
        undo: UndoEntry | None = None,
    ) -> dict[str, Any]:
        await self.gate.wait()
        self.seconds += 0.5
        if error := self.answers.get(path["appId"]):
            raise error
        self.done.append(path["appId"])
        if undo is not None:
            self.remember(undo)
        return {}

    def remember(self, undo: UndoEntry) -> None:
        self.undone_by.append(undo)

    async def verify(self, operation_id: str, path: Mapping[str, str]) -> VerifiedOutcome | None:
        return self.found.get(path["appId"])


@pytest.fixture
def performer() -> Performer:
    return Performer()


def job(performer: Performer, count: int = 5, **options: Any) -> Job:
    steps = [JobStep(f"a{number}", path={"appId": f"a{number}"}, **options) for number in range(count)]
    return Job(performer, "stop_application", steps, seconds=lambda: performer.seconds)


async def test_a_dry_run_is_followed_by_one_record_and_then_by_all_others(performer: Performer) -> None:
    bulk = job(performer)
    bulk.dry_run()
    assert (bulk.state, bulk.left, performer.done) == ("checked", 5, [])
    first = await bulk.first()
    assert first is not None and (first.outcome, bulk.state, performer.done) == ("done", "tried", ["a0"])
    assert (bulk.rate, bulk.time_left) == (2.0, 2.0)
    await bulk.rest()
    assert (bulk.state, bulk.done, bulk.failed, bulk.left) == ("finished", 5, 0, 0)
    assert bulk.not_done == ()


async def test_a_dry_run_skips_records_that_would_be_refused(performer: Performer) -> None:
    steps = [JobStep("a0", path={"appId": "a0"}, subject=Subject("me")), JobStep("a1", subject=Subject("other"))]
    bulk = Job(performer, "stop_application", steps)
    bulk.dry_run()
    assert [result.outcome for result in bulk.results] == ["waiting", "refused"]
    assert bulk.results[1].sentence == "your role is limited to your own records"
    await bulk.rest()
    assert (performer.done, bulk.not_done, bulk.state) == (["a0"], ("a1",), "finished")


async def test_a_dry_run_names_an_invalid_value(performer: Performer) -> None:
    bulk = Job(performer, "update_application", [JobStep("a0", body={"type": "toaster"})])
    bulk.dry_run()
    assert bulk.state == "finished"
    assert bulk.results[0].sentence == "type must be one of web, mobile, desktop, server, bot, iot, admin"


async def test_failed_records_are_listed_and_the_others_continue(performer: Performer) -> None:
    performer.answers = {
        "a1": Refused("The record to change was not found.", status=404),
        "a3": Refused("No.", status=403),
    }
    bulk = job(performer)
    await bulk.rest()
    assert [result.outcome for result in bulk.results] == ["done", "failed", "done", "failed", "done"]
    assert bulk.results[1].sentence == "The record to change was not found."
    assert (bulk.failed, bulk.not_done) == (2, ("a1", "a3"))


async def test_after_a_step_without_a_response_the_job_pauses_and_never_sends_it_again(performer: Performer) -> None:
    performer.answers = {"a1": OutcomeUnknown("It is not known whether it was done.")}
    bulk = job(performer, 3)
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "paused")
    assert (bulk.error_message, bulk.left) == ("It is not known whether it was done.", 1)
    performer.answers.clear()
    bulk.resume()
    await running
    assert (performer.done, bulk.state, bulk.error_message) == (["a0", "a2"], "finished", "")
    assert (bulk.failed, bulk.unknown, bulk.not_done) == (0, 1, ("a1",))


async def test_after_a_first_step_without_a_response_the_rest_can_be_sent(performer: Performer) -> None:
    performer.answers = {"a0": OutcomeUnknown("It is not known whether it was done.")}
    bulk = job(performer, 2)
    await bulk.first()
    assert (bulk.state, bulk.unknown) == ("tried", 1)
    await bulk.rest()
    assert (performer.done, bulk.state) == (["a1"], "finished")


@pytest.mark.parametrize("error", [Unreachable("svc.test cannot be reached."), SessionEnded("You are not logged in.")])
async def test_without_service_or_session_the_job_pauses_and_can_resume(performer: Performer, error: Exception) -> None:
    performer.answers = {"a1": error}
    bulk = job(performer)
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "paused")
    assert (bulk.error_message, performer.done, bulk.left) == (str(error), ["a0"], 4)
    performer.answers.clear()
    bulk.resume()
    await running
    assert (performer.done, bulk.state, bulk.error_message) == (["a0", "a1", "a2", "a3", "a4"], "finished", "")


async def test_a_job_is_not_continued_as_another_user(performer: Performer) -> None:
    performer.answers = {"a1": SessionEnded("You are not logged in.")}
    bulk = job(performer)
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "paused")
    performer.answers.clear()
    performer.user_id = "second"
    bulk.resume()
    await running
    assert (performer.done, bulk.left, bulk.state) == (["a0"], 4, "stopped")
    assert bulk.error_message == "Another user has logged in."


async def test_a_pause_completes_the_step_in_progress_and_resume_continues(performer: Performer) -> None:
    bulk = job(performer)
    performer.gate.clear()
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "running")
    bulk.pause()
    performer.gate.set()
    await until(lambda: performer.done == ["a0"])
    for _ in range(20):
        await asyncio.sleep(0)
    assert (performer.done, bulk.state) == (["a0"], "paused")
    bulk.resume()
    await running
    assert bulk.done == 5


async def test_stop_starts_no_further_step(performer: Performer) -> None:
    bulk = job(performer)
    bulk.subscribe(lambda: bulk.stop() if bulk.done == 2 else None)
    await bulk.rest()
    assert (bulk.state, performer.done, bulk.left) == ("stopped", ["a0", "a1"], 3)
    assert bulk.not_done == ("a2", "a3", "a4")


async def test_a_paused_job_can_be_stopped(performer: Performer) -> None:
    performer.answers = {"a1": Unreachable("gone")}
    bulk = job(performer)
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "paused")
    bulk.stop()
    await running
    assert (bulk.state, performer.done) == ("stopped", ["a0"])


async def test_a_step_without_a_response_is_verified_where_it_costs_money(performer: Performer) -> None:
    lost = OutcomeUnknown("It is not known whether it was done.")
    performer.answers = {"a0": lost, "a1": lost, "a2": lost}
    performer.found = {
        "a0": VerifiedOutcome(True, "it was done"),
        "a1": VerifiedOutcome(False, "it was not done"),
        "a2": VerifiedOutcome(None, "that could not be seen"),
    }
    bulk = job(performer, 3)
    bulk.dry_run()
    # Nothing pauses: the last step is the only one whose outcome stays unknown.
    await bulk.rest()
    assert [(result.outcome, result.sentence) for result in bulk.results] == [
        ("done", "it was done"),
        ("failed", "it was not done"),
        ("unknown", "that could not be seen"),
    ]
    assert bulk.not_done == ("a1", "a2")


async def test_a_step_on_several_records_counts_each_of_them(performer: Performer) -> None:
    batches = [("r0", "r1", "r2"), ("r3", "r4")]
    steps = [JobStep(batch[0], path={"appId": batch[0]}, ids=batch) for batch in batches]
    bulk = Job(performer, "stop_application", steps, seconds=lambda: performer.seconds)
    bulk.dry_run()
    assert (bulk.total, bulk.left) == (5, 5)
    await bulk.first()
    assert (bulk.done, bulk.left, bulk.rate, bulk.time_left) == (3, 2, 6.0, pytest.approx(2 / 6))
    performer.answers["r3"] = Refused("No.", status=403)
    await bulk.rest()
    assert (bulk.done, bulk.failed, bulk.not_done) == (3, 2, ("r3", "r4"))


async def test_an_internal_error_stops_the_job_and_the_outcome_of_its_step_is_unknown(performer: Performer) -> None:
    performer.answers["a1"] = RuntimeError("inside")
    stopping = job(performer)
    stopping.dry_run()
    with pytest.raises(RuntimeError, match="inside"):
        await stopping.rest()
    assert stopping.state == "stopped"
    assert [result.outcome for result in stopping.results] == ["done", "unknown", "waiting", "waiting", "waiting"]


@pytest.mark.parametrize("while_verified", [False, True])
async def test_the_outcome_of_a_step_that_is_cancelled_while_it_is_sent_is_unknown(
    performer: Performer, while_verified: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, never = asyncio.Event(), asyncio.Event()

    async def waits(*args: object, **options: object) -> None:
        started.set()
        await never.wait()

    monkeypatch.setattr(performer, "verify" if while_verified else "perform", waits)
    performer.answers["a0"] = OutcomeUnknown("No response.")
    cancelled = job(performer, 2)
    cancelled.dry_run()
    task = asyncio.create_task(cancelled.rest())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.state == "stopped"
    assert [result.outcome for result in cancelled.results] == ["unknown", "waiting"]


async def test_a_job_that_is_stopped_while_the_service_becomes_unreachable_ends(performer: Performer) -> None:
    performer.answers = {"a0": Unreachable("svc.test cannot be reached.")}
    performer.gate.clear()
    bulk = job(performer)
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "running")
    bulk.stop()
    performer.gate.set()
    async with asyncio.timeout(5):
        await running
    assert (bulk.state, bulk.left) == ("stopped", 5)


def _undo(number: int) -> UndoEntry:
    return UndoEntry(f"undo {number}", "applications", f"a{number}", "restart_application", {}, None, {})


async def test_all_changes_of_a_job_have_its_number_in_the_journal(performer: Performer) -> None:
    steps = [JobStep(f"a{number}", path={"appId": f"a{number}"}, undo=_undo(number)) for number in range(3)]
    performer.answers["a1"] = Refused("no", status=403)
    bulk = Job(performer, "stop_application", steps)
    await bulk.rest()
    assert [(undo.label, undo.job) for undo in performer.undone_by] == [
        ("undo 0", bulk.number),
        ("undo 2", bulk.number),
    ]
    assert bulk.undoable == 2


async def test_a_step_is_checked_before_it_is_sent(performer: Performer) -> None:
    async def same() -> JobStep | None:
        return None

    async def conflict() -> JobStep | None:
        raise ServiceError("another administrator was faster")

    async def other() -> JobStep | None:
        return JobStep("a2", path={"appId": "a2 as it is now"})

    steps = [
        JobStep(f"a{at}", path={"appId": f"a{at}"}, check=check) for at, check in enumerate((same, conflict, other))
    ]
    bulk = Job(performer, "update_application", steps)
    await bulk.rest()
    assert [(result.outcome, result.sentence) for result in bulk.results] == [
        ("unchanged", ""),
        ("failed", "another administrator was faster"),
        ("done", ""),
    ]
    assert (performer.done, bulk.not_done) == (["a2 as it is now"], ("a1",))


@pytest.mark.parametrize("made", [True, False])
async def test_a_checked_step_without_a_response_is_certain_when_the_job_continues(
    performer: Performer, made: bool
) -> None:
    async def check() -> JobStep | None:
        return None if made and lost else step

    lost: list[str] = []
    step = JobStep("a0", path={"appId": "a0"}, undo=_undo(0), check=check)
    performer.answers["a0"] = OutcomeUnknown("no response")
    bulk = Job(performer, "update_application", [step, JobStep("a1", path={"appId": "a1"})])
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "paused")
    assert (bulk.error_message, bulk.unknown) == ("no response", 0)
    lost.append("a0")
    del performer.answers["a0"]
    bulk.resume()
    await running
    assert [result.outcome for result in bulk.results] == ["done", "done"]
    assert performer.done == (["a1"] if made else ["a0", "a1"])
    assert [undo.label for undo in performer.undone_by] == ["undo 0"]


async def test_a_job_that_is_stopped_after_a_missing_response_does_not_say_that_nothing_was_sent(
    performer: Performer,
) -> None:
    async def check() -> JobStep | None:
        return step

    step = JobStep("a0", path={"appId": "a0"}, check=check)
    performer.answers["a0"] = OutcomeUnknown("no response")
    bulk = Job(performer, "update_application", [step])
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "paused")
    bulk.stop()
    await running
    assert [result.outcome for result in bulk.results] == ["unknown"]


async def test_the_requests_of_one_record_follow_each_other(performer: Performer) -> None:
    following = (JobStep("a0", path={"appId": "second"}), JobStep("a0", path={"appId": "third"}, undo=_undo(0)))
    bulk = Job(performer, "update_application", [JobStep("a0", path={"appId": "first"}, following=following)])
    performer.answers["second"] = Unreachable("away")
    running = asyncio.create_task(bulk.rest())
    await until(lambda: bulk.state == "paused")
    # What was made until now cannot be undone; the third request can.
    assert bulk.undoable == 0
    del performer.answers["second"]
    bulk.resume()
    await running
    # What was made is not sent again.
    assert (performer.done, bulk.done, bulk.total) == (["first", "second", "third"], 1, 1)
    assert bulk.undoable == 1


async def test_a_request_that_follows_a_creation_gets_the_id_of_the_created_record(performer: Performer) -> None:
    async def perform(operation_id: str, *, path: Mapping[str, str], **_: Any) -> dict[str, Any]:
        sent.append((operation_id, path))
        return {"data": {"id": "new" if operation_id == "create_subscriber" else "other"}}

    sent: list[tuple[str, Mapping[str, str]]] = []
    performer.perform = perform  # type: ignore[method-assign, assignment]
    device = JobStep("u", path={"phoneNumberId": CREATED}, operation_id="assign_device_to_subscriber")
    number = JobStep("u", path={"systemId": "p"}, operation_id="create_subscriber", following=())
    licence = JobStep("u", path={"userId": "u"}, operation_id="assign_licence", following=(number, device))
    bulk = Job(performer, "create_subscriber", [licence])
    await bulk.rest()
    assert sent[2] == ("assign_device_to_subscriber", {"phoneNumberId": "new"})
    assert bulk.results[0].answer == {"data": {"id": "new"}}
