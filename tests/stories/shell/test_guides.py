"""The guides of the documentation, followed step by step: keys in code, and in bold what must then be seen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from tests.stories.driver import profile, story

GUIDES = sorted((Path(__file__).parents[3] / "docs" / "guides").glob("*.md"))
_SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^\d+\. (.*(?:\n   .*)*)", re.MULTILINE)
_PART = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")
_KEYS = {"enter", "esc", "space", "tab", "up", "down"}
_ACCOUNT = re.compile(r"--as (\S+@demo\.example)")


def _sections() -> list[tuple[Path, str, list[str]]]:
    found = []
    for path in GUIDES:
        for title, text in _SECTION.findall(path.read_text(encoding="utf-8")):
            steps = [" ".join(step.split()) for step in _STEP.findall(text)]
            if steps:
                found.append((path, title, steps))
    return found


_SECTIONS = _sections()


def test_every_guide_has_steps_that_can_fail() -> None:
    assert len(GUIDES) == 3 and {path for path, _, _ in _SECTIONS} == set(GUIDES)
    for path, title, steps in _SECTIONS:
        assert any("**" in step for step in steps), f"{path.name}: {title}"


@pytest.mark.parametrize(("path", "title", "steps"), _SECTIONS, ids=[f"{p.stem}-{t}" for p, t, _ in _SECTIONS])
async def test_the_steps_of_a_guide_work(service: str, path: Path, title: str, steps: list[str]) -> None:
    named = _ACCOUNT.search(path.read_text(encoding="utf-8").partition("\n## ")[0])
    login = named[1] if named and path.stem == "support" else DEFAULT_ACCOUNT.login
    async with story(profile(service, login)) as person:
        await person.is_ready()
        for step in steps:
            for typed, seen in _PART.findall(step):
                if seen:
                    await person.sees(seen)
                elif typed in _KEYS or len(typed) == 1 or typed.startswith("ctrl+"):
                    await person.press("escape" if typed == "esc" else typed)
                elif not typed.startswith("svc-tui"):
                    await person.type(typed)
