"""The story driver: a wait without an end fails early, with the last steps and the screen; a busy console has time."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Static

from tests.stories import driver
from tests.stories.driver import Story
from tests.support.rest import pilots_wait_for_rest


class Counting(App[int]):
    """Shows another number ten times a second, up to the last."""

    number = 0

    def compose(self) -> ComposeResult:
        yield Static("begun")
        self.set_interval(0.1, self._next)

    def _next(self) -> None:
        if self.number < 10:
            self.number += 1
            self.query_one(Static).update(f"number {self.number}")


async def test_a_story_fails_soon_when_nothing_happens_and_waits_while_something_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "QUIET", 0.4)
    app = Counting()
    async with pilots_wait_for_rest(), app.run_test(size=(40, 5)) as pilot:
        story = Story(app, pilot)  # type: ignore[arg-type]
        await story.sees("number 10")
        await story.press("x")
        with pytest.raises(AssertionError, match=r"(?s)'number 11' is not seen\n--- after press x\nnumber 10"):
            await story.sees("number 11")


async def test_a_story_that_changes_for_ever_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "PATIENCE", 0.3)
    app = Counting()
    async with pilots_wait_for_rest(), app.run_test(size=(40, 5)) as pilot:
        with pytest.raises(AssertionError, match="'never' is not seen"):
            await Story(app, pilot).sees("never")  # type: ignore[arg-type]
