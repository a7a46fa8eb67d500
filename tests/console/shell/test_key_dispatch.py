"""The order of keys."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Input

from svc_tui.console.shell import key_dispatch
from svc_tui.console.shell.key_dispatch import KeyDispatch


class Listening(Screen[None]):
    """A screen that notes its keys; for each of `slow`, its handler does not end."""

    def __init__(self, slow: str = "") -> None:
        super().__init__()
        self.pressed = asyncio.Queue[str]()
        self._slow = slow

    async def press(self, event: events.Key) -> bool:
        await self.pressed.put(event.key)
        if event.key in self._slow:
            await asyncio.Event().wait()
        return True

    async def after(self, number: int) -> list[str]:
        """So many keys, in their order."""
        async with asyncio.timeout(10):
            return [await self.pressed.get() for _ in range(number)]


def keys(text: str) -> list[events.Key]:
    return [events.Key(letter, letter) for letter in text]


async def test_keys_that_waited_come_before_those_that_were_typed_since() -> None:
    app: App[int] = App()
    async with app.run_test():
        await app.push_screen(screen := Listening())
        first, second, third = keys("abc")
        dispatch = KeyDispatch(app)
        dispatch.take(third)
        dispatch.take_again([first, second])
        assert await screen.after(3) == ["a", "b", "c"]


async def test_a_key_that_comes_back_at_the_last_moment_is_not_overtaken(monkeypatch: pytest.MonkeyPatch) -> None:
    app: App[int] = App()
    async with app.run_test():
        await app.push_screen(screen := Listening())
        dispatch = KeyDispatch(app)
        first, second = keys("ab")
        came_back: list[asyncio.Handle] = []

        async def arrived() -> None:
            if not came_back:
                # Something has opened between the end of this wait and the turn of the key.
                came_back.append(asyncio.get_running_loop().call_soon(dispatch.take_again, [first]))

        monkeypatch.setattr(dispatch, "_arrived", arrived)
        dispatch.take(second)
        assert await screen.after(2) == ["a", "b"]


class Asking(Listening):
    """The same with an input."""

    text = ""

    def compose(self) -> ComposeResult:
        yield Input()

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.text = event.value

    async def press(self, event: events.Key) -> bool:
        return not event.is_printable and await super().press(events.Key(f"{event.key} behind {self.text}", None))


async def test_a_key_behind_a_typed_text_is_given_when_the_screen_knows_the_text() -> None:
    app: App[int] = App()
    async with app.run_test():
        app.push_screen(screen := Asking())
        # The input gets the focus after them.
        KeyDispatch(app).take(*keys("abc"), events.Key("enter", None))
        assert await screen.after(1) == ["enter behind abc"]


async def test_a_key_that_is_held_is_not_given_and_those_behind_it_are() -> None:
    app: App[int] = App()
    async with app.run_test():
        await app.push_screen(screen := Listening())
        held: list[str] = []
        dispatch = KeyDispatch(app, lambda event: event.key == "b" and not held.append(event.key))
        dispatch.take(*keys("abc"))
        assert await screen.after(2) == ["a", "c"] and held == ["b"]


@pytest.mark.parametrize("stops", ["a queue", "a handler"])
async def test_a_key_whose_way_ends_does_not_stop_the_keys_behind_it(
    monkeypatch: pytest.MonkeyPatch, stops: str
) -> None:
    monkeypatch.setattr(key_dispatch, "PATIENCE", 0.01)
    app: App[int] = App()
    async with app.run_test():
        await app.push_screen(screen := Listening("a" if stops == "a handler" else ""))
        if stops == "a queue":
            # The queue of a widget that is removed takes the last message and handles it no more.
            monkeypatch.setattr(screen, "call_later", lambda *_: True)
        KeyDispatch(app).take(*keys("ab"))
        assert await screen.after(2) == ["a", "b"]


async def test_an_error_of_a_key_is_an_error_of_the_application(monkeypatch: pytest.MonkeyPatch) -> None:
    app: App[int] = App()
    failed: list[Exception] = []
    async with app.run_test():
        await app.push_screen(screen := Listening())
        monkeypatch.setattr(app, "_handle_exception", failed.append)
        monkeypatch.setattr(screen, "press", lambda _: 1 / 0)
        dispatch = KeyDispatch(app)
        dispatch.take(*keys("a"))
        await dispatch.rest()
    assert [type(error) for error in failed] == [ZeroDivisionError]
