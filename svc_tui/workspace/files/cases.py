"""Cases: what was looked at, tried, changed and noted for one ticket, collected in a file of this machine.

A case is an append-only file of JSON lines, which only this user can read, so that it outlives the console and a lost
connection, and several consoles can write to it. It belongs to no profile. Nothing sends it anywhere.

Each step has `values`, which hold no personal data and no secret, and beside them what is `personal`: an export has the
former alone unless it is asked for both. What decides is the declaration (`interface/personal.py`), when a step is
collected. Secrets are in neither. Notes and the subject are exported as they were typed.
"""

from __future__ import annotations

import json
import os
import re
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from svc_tui.cache.opening import private_folder
from svc_tui.language import _
from svc_tui.workspace.files.document import Block, markdown
from svc_tui.workspace.files.export import cell, csv_line
from svc_tui.workspace.files.saved_files import reason_of, size_text

#: The kinds of steps with their labels, in the order of the summary.
STEPS: Mapping[str, str] = {
    "started": _("Started"),
    "console": _("Console"),
    "view": _("View"),
    "search": _("Search"),
    "finding": _("Finding"),
    "test": _("Number test"),
    "request": _("Request"),
    "change": _("Change"),
    "note": _("Note"),
    "ended": _("Ended"),
}
#: What is written into an exported file to recognise it.
FORMAT, VERSION = "svc-tui-case", 1
ENDING = ".svc"
#: The largest file of a case, in bytes. Notes are still added to a full one, until it is a tenth larger.
MOST_BYTES = 4_000_000
#: The most steps, and characters of one value, of a file of another user.
MOST_STEPS, MOST_TEXT = 20_000, 2_000
#: The end of the times that are read, in seconds since 1970.
_LATEST = 1e11
#: The bytes at the end of a file that are read to see whether the case is open.
_LAST_LINES = 500
_NUMBER = re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}")


class InvalidCase(Exception):
    """A file that is no case. The text is a sentence."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `at`: seconds since 1970. `personal` replaces values of the same name where it may be seen."""

    what: str
    at: float
    values: Mapping[str, Any] = field(default_factory=dict)
    personal: Mapping[str, Any] = field(default_factory=dict)

    @property
    def moment(self) -> str:
        """The time in UTC: `2026-11-28T11:48:22Z`."""
        return f"{datetime.fromtimestamp(self.at, UTC):%Y-%m-%dT%H:%M:%SZ}"

    @property
    def local(self) -> str:
        """The time in the time zone of the user: `2026-11-28T12:48:22+01:00`."""
        return datetime.fromtimestamp(self.at, UTC).astimezone().isoformat(timespec="seconds")

    def seen(self, personal: bool) -> dict[str, Any]:
        """Its values, with those that are personal, or without them and with the names of what is `masked`."""
        if not personal:
            return dict(self.values)
        return {**{name: value for name, value in self.values.items() if name != "masked"}, **self.personal}

    def text(self, personal: bool) -> str:
        """Its values in one line."""
        values = self.seen(personal)
        parts = [str(values[name]) for name in ("text", "operation", "place") if values.get(name)]
        parts += [f"{name}={_in_line(value)}" for name, value in values.items() if name not in _IN_FRONT]
        return " ".join(parts)


#: Values that stand in a line without their names.
_IN_FRONT = ("text", "operation", "place")


@dataclass(frozen=True, slots=True)
class Case:
    """The steps of a case, oldest first. `number` names it: when it was started, and four random digits."""

    number: str
    steps: tuple[Step, ...]

    @property
    def subject(self) -> str:
        return next((str(step.values.get("text", "")) for step in self.steps if step.what == "started"), "")

    @property
    def started(self) -> float:
        return self.steps[0].at if self.steps else 0.0

    @property
    def ended(self) -> float | None:
        """When it was ended; None while it is open."""
        last = next((step for step in reversed(self.steps) if step.what in ("started", "ended")), None)
        return last.at if last is not None and last.what == "ended" else None

    @property
    def seconds(self) -> float:
        """Its duration; of an open case until its last step."""
        until = self.ended or max((step.at for step in self.steps), default=0.0)
        return max(0.0, until - self.started)

    @property
    def places(self) -> tuple[str, ...]:
        """The links of the views in the order in which they were opened, each once."""
        links = (step.values.get("place") for step in self.steps if step.what == "view")
        return tuple(dict.fromkeys(link for link in links if isinstance(link, str) and link))

    def count(self, what: str) -> int:
        """The number of its steps of a kind."""
        return sum(step.what == what for step in self.steps)

    def exported(self, *, personal: bool = False) -> bytes:
        """The file for a colleague: JSON, with personal data only if it is asked for."""
        steps = [{"what": step.what, "at": step.moment, "values": step.seen(personal)} for step in self.steps]
        content = {"format": FORMAT, "version": VERSION, "case": self.number, "personal": personal, "steps": steps}
        return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")

    def markdown(self, in_words: Callable[[Step], str] | None = None, *, personal: bool = False) -> str:
        """The case as Markdown for a ticket, with the steps as text, or `in_words`."""
        title = _("Case {number}").format(number=self.number) + (f": {self.subject}" if self.subject else "")
        words = in_words or (lambda step: step.text(personal))
        rows = [(step.local, STEPS[step.what], words(step)) for step in self.steps]
        said = _("Started {started}, {minutes} min, {state}. {masking}").format(
            started=_moment(self.started),
            minutes=self.minutes,
            state=_("ended {time}").format(time=_moment(self.ended)) if self.ended else _("open"),
            masking=_("With personal data.") if personal else _("Personal data is masked; notes are as typed."),
        )
        blocks = [
            Block(_("Summary"), sentence=said, level=2),
            Block(_("Steps"), (_("Time"), _("Step"), _("Details")), rows, level=2),
        ]
        return "\n".join(markdown(title, blocks)) + "\n"

    @property
    def minutes(self) -> int:
        """Its duration in minutes, begun ones included."""
        return -int(-self.seconds // 60)

    def billing_line(self) -> str:
        """One CSV line: case, subject, start and end in the time zone of the user (the end is empty while it is open),
        minutes, and the numbers of views, requests, changes and notes."""
        counts = [self.count(what) for what in ("view", "request", "change", "note")]
        ended = _moment(self.ended) if self.ended else ""
        return csv_line(
            [cell(each) for each in (self.number, self.subject, _moment(self.started), ended, self.minutes)]
            + [cell(each) for each in counts]
        )


class Cases:
    """The cases of this user on this machine."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._folder, self._now = folder, now
        #: The reason why steps are not kept at present; empty while they are.
        self.error_message = ""

    def all(self) -> list[Case]:
        """All cases, newest first; none where the folder cannot be read."""
        try:
            names = sorted((file.stem for file in self._folder.glob("*.jsonl")), reverse=True)
        except OSError:
            return []
        return [case for name in names if _NUMBER.fullmatch(name) and (case := self.find(name)) is not None]

    def newest_open(self) -> str:
        """The number of the newest case that is not ended; empty without one. Reads the last lines only."""
        try:
            files = sorted(self._folder.glob("*.jsonl"), reverse=True)
            return next((file.stem for file in files if _NUMBER.fullmatch(file.stem) and _is_open(file)), "")
        except OSError:
            return ""

    def open(self) -> list[Case]:
        """The cases that are not ended, newest first."""
        return [case for case in self.all() if case.ended is None]

    def find(self, number: str) -> Case | None:
        """A case as it is stored now. Lines that cannot be read are left out."""
        if not _NUMBER.fullmatch(number):
            return None
        try:
            lines = self._file(number).read_text("utf-8", "replace").splitlines()
        except OSError:
            return None
        return Case(number, tuple(filter(None, map(_stored, lines))))

    def start(self, subject: str = "") -> Case:
        """Start a case. OSError when it cannot be stored."""
        at = self._now()
        number = f"{datetime.fromtimestamp(at, UTC):%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:4]}"
        step = Step("started", at, {"text": subject} if subject else {})
        self._append(number, step)
        return Case(number, (step,))

    def add(self, number: str, what: str, values: Mapping[str, Any], personal: Mapping[str, Any] | None = None) -> bool:
        """Add a step; whether it was stored. A case that was deleted stays deleted."""
        file = self._file(number)
        try:
            size = file.stat().st_size
            if size > MOST_BYTES * (1.1 if what in ("note", "ended", "started") else 1):
                self.error_message = _(
                    "The case has {size}: nothing more is collected. End it, and start another."
                ).format(size=size_text(size))
                return False
            self._append(number, Step(what, self._now(), values, personal or {}))
        except OSError as error:
            self.error_message = _("The case cannot be written: {reason}.").format(reason=reason_of(error))
            return False
        self.error_message = ""
        return True

    def end(self, number: str) -> bool:
        """End a case; whether that was stored."""
        return self.add(number, "ended", {})

    def delete(self, number: str) -> None:
        """Remove a case from this machine. OSError when that fails."""
        self._file(number).unlink(missing_ok=True)

    def _file(self, number: str) -> Path:
        return self._folder / f"{number}.jsonl"

    def _append(self, number: str, step: Step) -> None:
        """Write one line at the end, in one step, so that consoles do not write into each other's lines."""
        private_folder(self._folder)
        line = json.dumps(
            {"what": step.what, "at": step.at, "values": step.values, "personal": step.personal},
            ensure_ascii=True,
            default=str,
        )
        handle = os.open(self._file(number), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            # A line that was cut by a crash ends here, and costs only itself.
            os.write(handle, f"\n{line}\n".encode())
        finally:
            os.close(handle)


def imported(file: Path) -> Case:
    """The case in a file of another user: its steps are data, nothing of them is run.

    InvalidCase when it cannot be read, is too large, or is no case. Steps that no export writes are left out.
    """
    try:
        with file.open("rb") as source:
            text = source.read(MOST_BYTES * 2 + 1)
    except OSError as error:
        raise InvalidCase(_("{file}: {reason}.").format(file=file, reason=reason_of(error))) from error
    if len(text) > MOST_BYTES * 2:
        raise InvalidCase(_("{file} is too large for a case.").format(file=file))
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT or not isinstance(content.get("steps"), list):
        raise InvalidCase(_("{file} is no exported case.").format(file=file))
    if content.get("version") != VERSION:
        raise InvalidCase(_("{file} was exported by a newer svc-tui. Update this one to open it.").format(file=file))
    number = content.get("case")
    steps = tuple(filter(None, map(_foreign, content["steps"][:MOST_STEPS])))
    return Case(number if isinstance(number, str) and _NUMBER.fullmatch(number) else "", steps)


def _is_open(file: Path) -> bool:
    """Whether a case is open, by the end of its file; the step that ends it is short."""
    with file.open("rb") as source:
        source.seek(-min(_LAST_LINES, file.stat().st_size), os.SEEK_END)
        steps = [_stored(line) for line in source.read().decode("utf-8", "replace").splitlines()]
    return next((step.what for step in reversed(steps) if step is not None), "") != "ended"


def _stored(line: str) -> Step | None:
    """The step in a line of a file; None for one that cannot be read."""
    try:
        found = json.loads(line) if line else None
    except (ValueError, RecursionError):
        return None
    match found:
        case {
            "what": str() as what,
            "at": int() | float() as at,
            "values": dict() as values,
            "personal": dict() as own,
        }:
            return Step(what, float(at), values, own) if what in STEPS and 0 <= at < _LATEST else None
    return None


def _foreign(found: Any) -> Step | None:
    """A step of an exported file; None for one that is not as it should be."""
    match found:
        case {"what": str() as what, "at": str() as moment, "values": dict() as values}:
            try:
                at = datetime.fromisoformat(moment).timestamp()
            except (ValueError, OverflowError, OSError):
                return None
            if what not in STEPS or not 0 <= at < _LATEST:
                return None
            return Step(what, at, {str(name)[:MOST_TEXT]: _short(value) for name, value in values.items()})
    return None


def _short(value: Any) -> Any:
    return value if isinstance(value, bool | int | float) else _in_line(value)[:MOST_TEXT]


def _moment(at: float | None) -> str:
    return Step("", at or 0.0).local


def _in_line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
