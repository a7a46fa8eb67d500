"""Users who leave: what they hold, one choice for each, and the plans on this machine that carry the choices out.

The service has no job for a day to come: a plan waits in a file of the profile until it is asked for.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal, Protocol

from svc_tui.cache.cached import RecordDict
from svc_tui.client.errors import ServiceError, Unreachable
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.language import _, local_moment
from svc_tui.workspace.changes.bulk import Job, JobService, JobStep, StepResult
from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome
from svc_tui.workspace.core.service import Reader, ReadError, rows_of
from svc_tui.workspace.files.saved_files import locked, reason_of, write_private

Choice = Literal["keep", "free", "hand-over"]
#: The choices in words.
CHOICES: Mapping[str, str] = {"keep": _("keep"), "free": _("free"), "hand-over": _("hand over")}
#: The order in which holdings are carried out: an extension that is handed over is there before its numbers, one that
#: is freed goes after them.
_ORDER = (
    "welcome",
    "licence",
    "hand-over",
    "number",
    "device",
    "extension",
    "application",
    "key",
    "grant",
    "role",
    "login",
)
#: Plans that have ended are kept as a record: the last ones.
MOST_ENDED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Something that a user holds. `id` is its own among those of its kind; `path` are the IDs of its requests.

    `note` is the reason why a choice is missing, or what else a choice does.
    """

    kind: str
    id: str
    name: str
    choices: tuple[str, ...] = ("keep",)
    choice: str = "keep"
    path: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """The plan for one user: carried out on `day` (ISO 8601) or later, when it is asked for.

    `user` and `successor` have `id`, `loginEmail`, `displayName` and `companyId`; the successor can be empty. `results`
    are what was done, by the key of the holding: its outcome, the reason of a failure, and the time. `ended` is the
    time at which nothing was left to do.
    """

    user: Mapping[str, str]
    day: str
    holdings: tuple[Holding, ...]
    successor: Mapping[str, str] = field(default_factory=dict)
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    made: str = ""
    ended: str = ""
    results: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def left(self) -> tuple[Holding, ...]:
        """What is chosen and not done yet, in the order in which it is carried out."""
        chosen = (each for each in self.holdings if each.choice != "keep" and not self._is_done(each))
        return tuple(sorted(chosen, key=_place))

    def _is_done(self, holding: Holding) -> bool:
        return self.results.get(holding.key, {}).get("outcome") in ("done", "unchanged")

    def is_due(self, today: date) -> bool:
        return not self.ended and self.day <= today.isoformat()

    def choosing(self, choices: Mapping[str, str]) -> Leaving:
        """With these choices, by the key of the holding."""
        chosen = (replace(each, choice=choices.get(each.key, each.choice)) for each in self.holdings)
        return replace(self, holdings=tuple(chosen))


def _place(holding: Holding) -> int:
    name = holding.choice if (holding.kind, holding.choice) == ("extension", "hand-over") else holding.kind
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


class LeaveService(JobService, Reader, Protocol):
    """What leaving needs of the workspace."""

    @property
    def caller(self) -> Caller | None: ...
    def now(self) -> float: ...


class Holdings(Protocol):
    """What an area knows of the holdings of users."""

    @property
    def kinds(self) -> Mapping[str, str]:
        """Kind of a holding -> its name for users."""

    async def read(
        self, service: LeaveService, user: RecordData, successor: RecordData | None, unread: dict[str, str]
    ) -> list[Holding]:
        """What the user holds, each with a proposed choice; into `unread` what cannot be read, with the reason.

        ReadError when the service does not respond."""

    def step(self, service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
        """The requests that carry a choice out. What is done already, it finds out before it is sent."""

    def objections(self, leaving: Leaving) -> Mapping[str, str]:
        """Why choices contradict each other, by the key of the holding."""


def today(service: LeaveService) -> date:
    """The day in the time zone of the user."""
    now = datetime.fromtimestamp(service.now(), UTC)
    return (local_moment(now.isoformat()) or now).date()


def facts(user: RecordData) -> dict[str, str]:
    """The fields of a user that a plan keeps."""
    return {name: str(user.get(name) or "") for name in ("id", "loginEmail", "displayName", "companyId")}


def name_of(user: RecordData) -> str:
    """A user in words."""
    return str(user.get("displayName") or user.get("loginEmail") or user.get("id"))


async def plan(
    service: LeaveService, areas: Iterable[Holdings], user: RecordData, successor: RecordData | None, day: str
) -> tuple[Leaving, dict[str, str]]:
    """The plan with the proposed choices, and what cannot be read, with the reasons. ReadError."""
    unread: dict[str, str] = {}
    found = [each for area in areas for each in await area.read(service, user, successor, unread)]
    made = datetime.fromtimestamp(service.now(), UTC).isoformat(timespec="seconds")
    heir = facts(successor) if successor else {}
    return Leaving(user=facts(user), successor=heir, day=day, holdings=tuple(found), made=made), unread


def objections(areas: Iterable[Holdings], leaving: Leaving) -> dict[str, str]:
    """Why a plan cannot be carried out, by the key of the holding; empty when it can."""
    found = {}
    for each in leaving.holdings:
        if each.choice not in each.choices:
            words = _("cannot be: {choice}").format(choice=CHOICES.get(each.choice, each.choice))
            found[each.key] = f"{words} ({each.note})" if each.note else words
    for area in areas:
        found = {**area.objections(leaving), **found}
    return found


# --- reading -----------------------------------------------------------------------------------------------------


async def listed(
    service: LeaveService,
    operation_id: str,
    query: RecordDict,
    user: RecordData,
    title: str,
    unread: dict[str, str],
) -> list[RecordData]:
    """The records of a list for a user; into `unread`, with their title, those that cannot be read. ReadError."""
    decision = service.decide(operation_id, subject_of(user, service.caller))
    if not decision:
        unread[title] = decision.reason
        return []
    try:
        return [each async for each in rows_of(service, operation_id, {}, query)]
    except ReadError as error:
        if error.offline:
            raise
        unread[title] = error.sentence
        return []


async def now_of(service: Reader, operation_id: str, path: Mapping[str, str]) -> RecordDict | None:
    """A record as it is now, before a step is sent; None for one that is gone. ServiceError."""
    try:
        body = await service.read(operation_id, path, {"format": "full"})
    except ReadError as error:
        if error.missing:
            return None
        raise error_of(error) from error
    data = body.get("data")
    return data if isinstance(data, dict) else None


def error_of(error: ReadError) -> ServiceError:
    """A failed read before a step is sent, as the job expects it."""
    if isinstance(error.__cause__, ServiceError):
        return error.__cause__
    return (Unreachable if error.offline else ServiceError)(error.sentence)


async def user_now(service: Reader, user_id: str) -> RecordDict:
    """A user as it is now, before a step is sent. ServiceError, also for one that was deleted."""
    user = await now_of(service, "get_user", {"userId": user_id})
    if user is None or user.get("isTerminated"):
        raise ServiceError(_("The user does not exist any more."))
    return user


def subject_of(user: RecordData, caller: Caller | None) -> Subject | None:
    """A user as rights see it: one of the caller's company, or of a company that the caller manages."""
    company = str(user.get("companyId") or "")
    if caller is None or company == caller.company_id:
        return Subject(company_id=company)
    return Subject(company_id=company, organisation_id=caller.organisation_id, bp_id=caller.company_id)


# --- the job -----------------------------------------------------------------------------------------------------


def sequence(requests: Sequence[JobStep], check: Callable[[], Awaitable[JobStep | None]] | None = None) -> JobStep:
    """One step of requests that are sent one after the other."""
    first, *following = requests
    return replace(first, following=tuple(following), check=check)


def job_of(service: LeaveService, areas: Iterable[Holdings], plans: Sequence[Leaving], store: Leavings) -> Job:
    """What is left of the plans as one job, with one undo; each outcome is stored as soon as it is known."""
    of_kind = {kind: area for area in areas for kind in area.kinds}
    steps = []
    for leaving in plans:
        for each in leaving.left:
            if (area := of_kind.get(each.kind)) is not None:
                label = f"{name_of(leaving.user)}: {area.kinds[each.kind]} {each.name}, {CHOICES[each.choice]}"
                steps.append(_named(area.step(service, leaving, each), f"{leaving.id} {each.key}", label))
    return Job(service, "update_user", steps, recorder=_Recorder(store, service))


def _named(step: JobStep, id: str, label: str) -> JobStep:
    """A step with this ID and label, also as its check returns it: after a missing response it is checked again."""
    check = step.check

    async def checked() -> JobStep | None:
        found = await check() if check is not None else step
        return None if found is None else replace(found, record_id=id, label=label, check=checked)

    return replace(step, record_id=id, label=label, check=checked)


class _Recorder:
    """Stores the outcome of each step of a job."""

    def __init__(self, store: Leavings, service: LeaveService) -> None:
        self._store, self._service = store, service

    def sending(self, step: JobStep) -> None:
        """What was sent is looked up before it is sent again: nothing is stored before."""

    def ended(self, result: StepResult) -> None:
        try:
            self._store.add_results([result], self._service.now())
        except LeavingsError as error:
            # It is found done when the plan continues.
            result.sentence = result.sentence or str(error)

    async def verify(self, step: JobStep) -> VerifiedOutcome | None:
        return None


# --- the file ----------------------------------------------------------------------------------------------------


class LeavingsError(Exception):
    """The file of plans cannot be read or written; the message is a sentence."""


class Leavings:
    """The plans of a profile in a file that only this user can read; consoles and commands share it. LeavingsError."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "leaving.json"

    def read(self) -> list[Leaving]:
        """All plans, the oldest first."""
        try:
            stored = json.loads(self._file.read_text("utf-8"))
            return [_leaving(each) for each in stored]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            text = _("{file} cannot be read ({reason}). Repair or move it: it has the plans of users who leave.")
            raise LeavingsError(text.format(file=self._file, reason=reason_of(error))) from error

    def due(self, today: date) -> list[Leaving]:
        """The plans that can be carried out."""
        return [each for each in self.read() if each.is_due(today)]

    def add(self, plans: Iterable[Leaving]) -> None:
        """Add plans. An open one for the same user is replaced."""
        added = list(plans)
        users = {each.user["id"] for each in added}
        self._change(lambda known: [*(each for each in known if each.ended or each.user["id"] not in users), *added])

    def remove(self, id: str) -> bool:
        """Remove an open plan; whether there was one."""
        found: list[Leaving] = []

        def without(known: list[Leaving]) -> list[Leaving]:
            found.extend(each for each in known if each.id == id and not each.ended)
            return [each for each in known if each not in found]

        self._change(without)
        return bool(found)

    def add_results(self, results: Iterable[StepResult], now: float) -> None:
        """Store outcomes of a job. A plan of which nothing is left has ended."""
        when = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
        of_plan: dict[str, dict[str, dict[str, str]]] = {}
        for each in results:
            id, _space, key = each.step.record_id.partition(" ")
            if each.outcome != "waiting":
                outcome = {"outcome": each.outcome, "reason": each.sentence, "when": when}
                of_plan.setdefault(id, {})[key] = outcome

        def changed(known: list[Leaving]) -> list[Leaving]:
            found = [replace(each, results={**each.results, **of_plan.get(each.id, {})}) for each in known]
            return [each if each.left or each.ended else replace(each, ended=when) for each in found]

        self._change(changed)

    def _change(self, change: Callable[[list[Leaving]], list[Leaving]]) -> None:
        try:
            with locked(self._file):
                plans = change(self.read())
                ended = [each.id for each in plans if each.ended]
                dropped = {*ended[:-MOST_ENDED]}
                kept = [asdict(each) for each in plans if each.id not in dropped]
                write_private(self._file, json.dumps(kept, indent=1))
        except OSError as error:
            text = _("{file} cannot be written ({reason}).")
            raise LeavingsError(text.format(file=self._file, reason=reason_of(error))) from error


def _leaving(stored: Mapping[str, Any]) -> Leaving:
    """A stored plan. ValueError, TypeError, AttributeError or KeyError for another value."""
    names = {each.name for each in fields(Holding)}
    holdings = [
        Holding(**{**{name: each[name] for name in names if name in each}, "choices": tuple(each["choices"])})
        for each in stored["holdings"]
    ]
    date.fromisoformat(stored["day"])
    known = {each.name: stored[each.name] for each in fields(Leaving) if each.name in stored}
    return Leaving(**{**known, "user": dict(stored["user"]), "holdings": tuple(holdings)})
