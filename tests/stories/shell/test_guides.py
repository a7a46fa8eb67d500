"""The guides and the first keys of the README, followed step by step.

What is in code is pressed or typed, and what is in bold must then appear.

A step is judged as a reader would: what it names was not on the screen before, no message of the status line complains
unless the step quotes it, nothing is refused, and what is sent is what the guide says; a record that was changed and
undone is as before.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

import pytest

from svc_tui.console.shell.frame import Frame
from svc_tui.interface.catalogue import operation
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from svc_tui.server.demo.applications import LARGE_APPLICATIONS
from svc_tui.server.demo.companies import LARGE_COMPANIES
from svc_tui.server.demo.users import LARGE_USERS
from tests.stories.driver import Story, profile, story

ROOT = Path(__file__).parents[3]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
_SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^\d+\. (.*(?:\n   .*)*)", re.MULTILINE)
_PART = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")
_KEYS = {"f6", "enter", "esc", "space", "tab", "up", "down"}
_ACCOUNT = re.compile(r"^- Run `svc-tui demo --as (\S+@demo\.example)`", re.MULTILINE)
#: What a view shows instead of records.
_COMPLAINTS = ("Your role does not allow", "Not logged in", "no data", "Nothing found")
#: Part of the message on the speed of the link, on a busy machine.
_OF_THE_LINK = "responds slowly"
#: What a message says of a copy in one terminal, and not in another one.
_ONE_TERMINAL = ("Sent", "Copied", "Written")
#: What a guide says of a change that was sent.
_SENT = ("Changed.", "Undone.")


def _sections() -> list[tuple[Path, str, str, list[str]]]:
    """Guide, title, the login of the section, otherwise of the guide, and the steps."""
    found = []
    for path in (ROOT / "README.md", *GUIDES):
        guide = path.read_text(encoding="utf-8")
        for title, text in _SECTION.findall(guide):
            steps = [" ".join(step.split()) for step in _STEP.findall(text)]
            named = _ACCOUNT.search(text) or _ACCOUNT.search(guide)
            if steps:
                found.append((path, title, named[1] if named else DEFAULT_ACCOUNT.login, steps))
    return found


_SECTIONS = _sections()


def test_every_guide_has_steps_that_can_fail_and_lists_its_prerequisites() -> None:
    assert len(GUIDES) == 5 and {path for path, *_ in _SECTIONS} == {ROOT / "README.md", *GUIDES}
    for path, title, _, steps in _SECTIONS:
        assert any("**" in step for step in steps), f"{path.name}: {title}"
        seen = [seen.rpartition(": ")[2] for step in steps for _, seen in _PART.findall(step)]
        assert not [text for text in seen if text.startswith(_ONE_TERMINAL)], f"{path.name}: {title}"
    for path in GUIDES:
        head = path.read_text(encoding="utf-8").partition("\n## ")[0]
        for needed in ("\nBefore you begin:\n", "`. .venv/bin/activate`", "80 columns and 24 lines", "`svc-tui demo"):
            assert needed in head, f"{path.name}: {needed}"


def test_the_large_demo_has_what_the_guide_says() -> None:
    [guide] = [path for path in GUIDES if path.stem == "demonstration"]
    [said] = re.findall(r"about ([\d,]+) applications, ([\d,]+) users and ([\d,]+) companies", guide.read_text("utf-8"))
    made = [LARGE_APPLICATIONS, LARGE_USERS, LARGE_COMPANIES]
    assert [int(number.replace(",", "")) for number in said] == made


class Reader:
    """A reader who follows a guide, and looks at everything."""

    def __init__(self, person: Story) -> None:
        self.person, self.before = person, person.screen
        self.complaints: list[str] = []

    async def takes(self, step: str) -> None:
        """One step: press, type, and see."""
        self.complaints.clear()
        named = []
        for typed, seen in _PART.findall(step):
            if seen:
                assert seen not in self.before, f"{seen!r} is no proof: it was seen before {step!r}\n{self.before}"
                await self.person.sees(seen)
                named.append(seen)
            else:
                self.before = self.person.screen
                await self._does(typed)
        await self.person.pilot.pause()
        for message in self.complaints:
            assert any(text in message or message in text for text in named), f"{step}: {message}"
        for complaint in _COMPLAINTS:
            assert complaint not in self.person.screen, f"{step}\n{self.person.screen}"

    async def _does(self, typed: str) -> None:
        if typed in _KEYS or len(typed) == 1 or typed.startswith("ctrl+"):
            await self.person.press("escape" if typed == "esc" else typed)
        elif not typed.startswith("svc-tui"):
            await self.person.type(typed)

    def hears(self, message: str, style: str) -> None:
        if style in ("warn", "bad") and _OF_THE_LINK not in message:
            self.complaints.append(message)


def _records_are_as_before(person: Story, steps: list[str]) -> None:
    """What was sent is what the guide says, and undone: each record has the values that were read before."""
    calls = [each for each in person.app.frame.workspace.log.exchanges if "/login" not in each.url]
    written = [at for at, each in enumerate(calls) if not operation(each.operation_id).reads]
    said = [seen for step in steps for _, seen in _PART.findall(step) if seen.startswith(_SENT)]
    assert len(written) == len(said), [calls[at].url for at in written]
    for url in {calls[at].url for at in written}:
        states = [json.loads(each.response_body)["data"] for each in calls if each.url.partition("?")[0] == url]
        first, last = (
            {key: value for key, value in state.items() if "Date" not in key} for state in (states[0], states[-1])
        )
        assert first == last


@pytest.mark.parametrize(
    ("path", "title", "login", "steps"), _SECTIONS, ids=[f"{path.stem}-{title}" for path, title, *_ in _SECTIONS]
)
async def test_the_steps_of_a_guide_work(service: str, path: Path, title: str, login: str, steps: list[str]) -> None:
    show = Frame.show_message
    async with story(profile(service, login), first="home") as person:
        await person.is_ready()
        reader = Reader(person)

        def shown(frame: Frame, text: str, style: str = "", **named: object) -> None:
            reader.hears(text, style)
            show(frame, text, style, **named)

        with mock.patch.object(Frame, "show_message", shown):
            for step in steps:
                await reader.takes(step)
        _records_are_as_before(person, steps)
