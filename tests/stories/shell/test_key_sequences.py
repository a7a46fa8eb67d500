"""The same keys end alike, typed slowly or all at once, with a quick and with a slow service.

`KEY_SEQUENCES=95 pytest tests/stories/shell/test_key_sequences.py` takes more sequences than the tests do.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from svc_tui.console.shell.key_dispatch import KeyTarget
from svc_tui.console.views.form import FormView
from tests.stories.driver import Story, private_folders, profile, send, story
from tests.stories.wire import wired

#: Keys that move and mark. Keys after another order are left out: the screen decides about them.
MOVES = ("j", "k", "G", "down", "up", "home", "pgdn", "space", "r", "tab")
FILTERS = ("bot", "a", "meridian", "zzz", "o e")
OPENINGS = ("enter", "?", "d", "/", "ctrl+k")
PLACES = ("applications", "companies", "users", "keys", "recordings")
#: Texts for the fields of a form, with letters that are actions elsewhere.
TEXTS = ("Quick", "n2x", "jump ?")
#: Seconds that each answer of the slow service takes.
SLOW = 0.12


def sequence(seed: int) -> Iterator[str]:
    """Keys that change nothing in the service. Without `esc`, which ends a wait and drops the keys that wait too."""
    chosen = random.Random(seed)
    for _ in range(chosen.randint(3, 6)):
        match chosen.choice(("move", "move", "filter", "open", "place", "form")):
            case "move":
                yield from chosen.choices(MOVES, k=chosen.randint(1, 4))
            case "filter":
                yield from ("/", *chosen.choice(FILTERS), "enter")
            case "open":
                yield chosen.choice(OPENINGS)
                yield from chosen.choices(("down", "up", "home"), k=chosen.randint(0, 2))
            case "place":
                yield from (":", *chosen.choice(PLACES), "enter", chosen.choice(("j", "enter", "G", "space")))
            case "form":
                # Nothing behind it, which could send what was typed.
                yield from (":", *"applications", "enter", "n", *chosen.choice(TEXTS))
                yield from ("down", "down", *chosen.choice(TEXTS), "backspace", "ctrl+u", "z")
                return


def is_at_rest(person: Story) -> bool:
    """Whether nothing opens, loads or is still typed."""
    app, frame = person.app, person.app.frame
    if app.keys.waits or frame.opening is not None or frame.is_changing or not (frame.view is None or frame.view.ready):
        return False
    screen = person.screen.lower()
    return not any(word in screen for word in ("refreshing", "loading…", "reading…", "searching"))


async def rests(person: Story) -> None:
    """Wait until nothing opens, loads or is still typed."""
    await person.pilot.pause()
    while not is_at_rest(person):
        await person.until(lambda: is_at_rest(person), "the console does not rest")
        await person.pilot.pause()


def outcome(person: Story) -> dict[str, Any]:
    """Where the console is, and what a user has typed, marked and selected there."""
    app, frame = person.app, person.app.frame
    view = frame.view
    assert view is not None
    return {
        "views": [f"{view.kind} {view.crumb}" for view in frame.stack],
        "dialogs": [type(screen).__name__ for screen in app.screen_stack[1:]],
        "prompt": frame.prompt.value if frame.prompt.is_open else None,
        "cursor": person.cursor.split("  ")[0],
        "marked": sorted(view.marked),
        "form": view.form.body() if isinstance(view, FormView) else None,
        "texts": [widget.value for widget in app.screen.query("Input") if widget.display and app.screen.is_modal],
    }


@asynccontextmanager
async def console_at(url: str) -> AsyncIterator[Story]:
    """A console of its own, ready for keys."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as environment:
        private_folders(environment, Path(folder))
        async with story(profile(url)) as person:
            await person.is_ready()
            yield person


async def typed(url: str, keys: list[str]) -> dict[str, Any]:
    """The outcome of keys that are typed at once in a console of its own."""
    async with console_at(url) as person:
        send(person, *keys)
        await rests(person)
        return outcome(person)


async def typed_slowly(url: str, keys: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The outcome of keys of which each is typed when the console rests, and the keys that were not refused.

    What is typed behind a refused key, before its reason is seen, is dropped: at once, the refused ones are left out.
    """
    accepted: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(KeyTarget, "cancel_typed", lambda _: accepted.pop())
        async with console_at(url) as person:
            for key in keys:
                accepted.append(key)
                send(person, key)
                await rests(person)
            return outcome(person), accepted


@pytest.mark.parametrize("seed", range(int(os.environ.get("KEY_SEQUENCES", "2"))))
async def test_keys_end_alike_however_fast_they_are_typed(service: str, seed: int) -> None:
    slowly, keys = await typed_slowly(service, list(sequence(seed)))
    assert await typed(service, keys) == slowly, f"at once: {' '.join(keys)}"
    async with wired(service, answers_after=SLOW) as (_, url):
        assert await typed(url, keys) == slowly, f"at once, with a slow service: {' '.join(keys)}"
