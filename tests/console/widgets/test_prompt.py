"""The prompt: completions in a circle, both ways, and the history."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from svc_tui.console.widgets.prompt import GO, Prompt, PromptRequest

NAMES = ("invoices", "invoicefiles", "images")
VERBS = {"tab": "complete", "shift+tab": "complete_back", "up": "older", "down": "newer", "enter": "accept"}


def verb_of(event: events.Key) -> str:
    return VERBS.get(event.key, "")


def completions(text: str) -> Sequence[str]:
    return [name for name in NAMES if name.startswith(text)]


class Prompting(App[None]):
    """A prompt for places."""

    def compose(self) -> ComposeResult:
        yield Prompt(verb_of, lambda *_: None, lambda *_: None)

    async def on_event(self, event: events.Event) -> None:
        if not isinstance(event, events.Key) or event.is_forwarded or not self.prompt.take_key(event):
            await super().on_event(event)

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)


@asynccontextmanager
async def prompting() -> AsyncIterator[tuple[Pilot[None], Prompt]]:
    app = Prompting()
    async with app.run_test() as pilot:
        app.prompt.open(PromptRequest(GO, complete=completions, history=("users", "companies north")))
        yield pilot, app.prompt


async def texts_after(pilot: Pilot[None], prompt: Prompt, *keys: str) -> list[str]:
    """The text after each key."""
    found = []
    for key in keys:
        await pilot.press(key)
        found.append(prompt.text)
    return found


async def test_completions_wrap_around_in_both_directions() -> None:
    async with prompting() as (pilot, prompt):
        await pilot.press("i")
        assert await texts_after(pilot, prompt, *["tab"] * 4) == [*NAMES, NAMES[0]]
        assert await texts_after(pilot, prompt, *["shift+tab"] * 3) == [*reversed(NAMES)]


async def test_the_first_step_back_is_the_last_completion() -> None:
    async with prompting() as (pilot, prompt):
        assert await texts_after(pilot, prompt, "shift+tab", "shift+tab") == ["images", "invoicefiles"]


async def test_text_after_a_completion_is_completed_again() -> None:
    async with prompting() as (pilot, prompt):
        await pilot.press("i", "tab")
        assert (prompt.text, prompt.stem) == ("invoices", "i")
        await pilot.press("backspace", "backspace", "backspace")
        assert (prompt.text, prompt.stem) == ("invoi", "invoi")
        assert await texts_after(pilot, prompt, "tab", "tab", "tab") == ["invoices", "invoicefiles", "invoices"]
        await pilot.press(*"xyz")
        assert await texts_after(pilot, prompt, "tab", "shift+tab") == ["invoicesxyz"] * 2


async def test_the_history_goes_back_and_forward_to_an_empty_prompt() -> None:
    async with prompting() as (pilot, prompt):
        shown = await texts_after(pilot, prompt, "up", "up", "up", "down", "down", "down")
        assert shown == ["companies north", "users", "users", "companies north", "", ""]
