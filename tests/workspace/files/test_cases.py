"""Cases: kept in a file, exported without personal data, and read from a file of another user."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from svc_tui.workspace.files import cases
from svc_tui.workspace.files.cases import Case, Cases, InvalidCase, imported

#: 2026-11-28, 10:00 UTC.
NOW = 1_795_860_000.0


class Clock:
    now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> Cases:
    return Cases(tmp_path / "cases", clock)


def found(kept: Cases, number: str) -> Case:
    case = kept.find(number)
    assert case is not None
    return case


def test_a_case_outlives_the_console(kept: Cases, clock: Clock, tmp_path: Path) -> None:
    number = kept.start("TICKET-1").number
    clock.now += 90
    assert kept.add(number, "view", {"place": "companies"})
    assert kept.add(number, "note", {"text": "Called back\nlater"})
    later = Cases(tmp_path / "cases", clock)
    assert [case.number for case in later.open()] == [number]
    assert later.end(number)
    assert later.open() == [] and [case.number for case in later.all()] == [number]
    case = found(later, number)
    assert (case.subject, case.seconds, case.minutes) == ("TICKET-1", 90, 2)
    assert [step.what for step in case.steps] == ["started", "view", "note", "ended"]


def test_a_case_outlives_a_console_that_is_killed(kept: Cases) -> None:
    number = kept.start().number
    if not (pid := os.fork()):
        kept.add(number, "note", {"text": "the last one"})
        os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
    assert kept.newest_open() == number and found(kept, number).steps[-1].values == {"text": "the last one"}


def test_a_case_that_was_ended_can_be_continued(kept: Cases, clock: Clock) -> None:
    number = kept.start().number
    kept.end(number)
    clock.now += 60
    kept.add(number, "started", {})
    assert found(kept, number).ended is None


def test_only_this_user_can_read_a_case(kept: Cases, tmp_path: Path) -> None:
    number = kept.start().number
    folder = tmp_path / "cases"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / f"{number}.jsonl").stat().st_mode & 0o777 == 0o600


def test_several_cases_are_open_and_the_newest_is_first(kept: Cases, clock: Clock) -> None:
    first = kept.start("one").number
    clock.now += 1
    second = kept.start("two").number
    assert [case.number for case in kept.open()] == [second, first]
    kept.add(first, "view", {"place": "users"})
    assert (found(kept, first).count("view"), found(kept, second).count("view")) == (1, 0)


def test_a_line_that_was_cut_costs_only_itself(kept: Cases, tmp_path: Path) -> None:
    number = kept.start().number
    with (tmp_path / "cases" / f"{number}.jsonl").open("a") as file:
        file.write('{"what": "view", "at": 17')
    kept.add(number, "note", {"text": "still here"})
    assert [step.what for step in found(kept, number).steps] == ["started", "note"]


def test_a_full_case_still_takes_notes_and_its_end(
    kept: Cases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = kept.start().number
    kept.add(number, "view", {"place": "users"})
    monkeypatch.setattr(cases, "MOST_BYTES", (tmp_path / "cases" / f"{number}.jsonl").stat().st_size - 1)
    assert not kept.add(number, "view", {"place": "companies"})
    assert "nothing more is collected" in kept.error_message
    assert kept.end(number) and kept.error_message == ""


def test_a_deleted_case_stays_deleted(kept: Cases) -> None:
    number = kept.start().number
    kept.delete(number)
    assert not kept.add(number, "view", {"place": "users"})
    assert kept.error_message and kept.all() == []


def test_a_folder_that_cannot_be_written_starts_no_case(tmp_path: Path) -> None:
    (tmp_path / "cases").write_text("a file")
    kept = Cases(tmp_path / "cases")
    with pytest.raises(OSError):
        kept.start()
    assert kept.all() == []


@pytest.mark.parametrize("number", ["../x", "20261128-100000-ab12/../../x", "", "*"])
def test_a_number_leads_to_no_other_file(kept: Cases, number: str) -> None:
    assert kept.find(number) is None


def test_an_export_has_personal_data_only_if_it_is_asked_for(kept: Cases, tmp_path: Path) -> None:
    number = kept.start().number
    kept.add(number, "view", {"place": "users", "masked": ["name"]}, {"place": "users?filter=anna"})
    case = found(kept, number)
    assert b"anna" not in case.exported() and "anna" not in case.markdown()
    assert b"anna" in case.exported(personal=True) and "anna" in case.markdown(personal=True)
    assert "masked=" in case.markdown() and "masked=" not in case.markdown(personal=True)
    assert "Personal data is masked" in case.markdown()
    assert "| Started | in words |" in case.markdown(lambda step: "in words")
    (tmp_path / "case.svc").write_bytes(case.exported())
    other = imported(tmp_path / "case.svc")
    assert (other.number, other.places) == (number, ("users",))
    assert [(step.what, step.at) for step in other.steps] == [(step.what, step.at) for step in case.steps]


def test_markdown_has_no_markup_of_a_note(kept: Cases) -> None:
    number = kept.start("| a <b>").number
    kept.add(number, "note", {"text": "one\ntwo | [x](http://x)"})
    text = found(kept, number).markdown()
    assert "<b>" not in text and "[x](" not in text
    rows = [line for line in text.splitlines() if line.startswith("| 2026")]
    assert len(rows) == 2


@pytest.fixture
def lisbon_in_summer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user one hour east of UTC."""
    monkeypatch.setenv("TZ", "WEST-1")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("lisbon_in_summer")
def test_the_line_for_billing_counts_minutes(kept: Cases, clock: Clock) -> None:
    number = kept.start('=1+1, "two"').number
    for what in ("view", "view", "request", "change", "note"):
        kept.add(number, what, {})
    clock.now += 61
    kept.end(number)
    line = found(kept, number).billing_line()
    assert line == f'{number},"\'=1+1, ""two""",2026-11-28T11:00:00+01:00,2026-11-28T11:01:01+01:00,2,2,1,1,1\r\n'


def _exported(**changes: Any) -> bytes:
    content = {"format": "svc-tui-case", "version": 1, "case": "20261128-100000-ab12", "personal": False, "steps": []}
    return json.dumps({**content, **changes}).encode()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no exported case"),
        (b"\xff\xfe", "no exported case"),
        (b"[" * 100_000, "no exported case"),
        (b"[1]", "no exported case"),
        (_exported(format="other"), "no exported case"),
        (_exported(steps={}), "no exported case"),
        (_exported(version=2), "newer"),
    ],
)
def test_a_file_that_is_no_case_is_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / "case.svc").write_bytes(content)
    with pytest.raises(InvalidCase, match=reason):
        imported(tmp_path / "case.svc")


def test_a_missing_and_a_huge_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidCase, match="No such file"):
        imported(tmp_path / "none.svc")
    monkeypatch.setattr(cases, "MOST_BYTES", 10)
    (tmp_path / "case.svc").write_bytes(_exported())
    with pytest.raises(InvalidCase, match="too large"):
        imported(tmp_path / "case.svc")


def test_steps_that_no_export_writes_are_left_out(tmp_path: Path) -> None:
    good = {"what": "view", "at": "2026-11-28T10:00:00Z", "values": {"place": "users", "more": {"a": ["x" * 9000]}}}
    wrong: list[Any] = [
        None,
        "view",
        {**good, "what": "run"},
        {**good, "at": "tomorrow"},
        {**good, "at": "9999-12-31T23:59:59-14:00"},
        {**good, "at": 5},
        {**good, "values": ["users"]},
    ]
    no_place = {**good, "values": {"place": {"a": 1}}}
    (tmp_path / "case.svc").write_bytes(_exported(case="../../x", steps=[*wrong, no_place, good]))
    case = imported(tmp_path / "case.svc")
    assert case.number == ""
    assert len(case.steps) == 2 and case.places[-1] == "users"
    assert max(len(str(value)) for step in case.steps for value in step.values.values()) <= cases.MOST_TEXT


def test_a_case_of_many_writers_has_whole_lines(kept: Cases) -> None:
    number = kept.start().number
    children = []
    for child in range(4):
        if not (pid := os.fork()):
            for count in range(50):
                kept.add(number, "note", {"text": f"{child} {count} " + "x" * 5000})
            os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)
    assert found(kept, number).count("note") == 200
