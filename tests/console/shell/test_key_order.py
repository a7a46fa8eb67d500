"""The order of keys."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from textual import events
from textual.app import App
from textual.widget import Widget
from textual.widgets import Input

from svc_tui.console.shell import key_order
from svc_tui.console.shell.key_order import KeyOrder, Typed, takes_keys


async def test_keys_that_return_one_at_a_time_keep_their_order() -> None:
    """They come back from a view that lost the focus, while later keys already wait."""
    app: App[int] = App()
    sent: list[str] = []

    async def send(event: Typed) -> bool:
        assert isinstance(event, events.Key)
        sent.append(event.key)
        return True

    async with app.run_test() as pilot:
        order = KeyOrder(app, send, lambda _: False)
        first, second, third = (events.Key(letter, letter) for letter in "abc")
        # `enter` is handled by the screen first, and later keys wait.
        await order.take(events.Key("enter", None))
        await order.take(third)
        order.take_back([second])
        order.take_back([first])
        await pilot.pause()
    assert sent == ["enter", "a", "b", "c"]


async def test_a_key_whose_way_ends_does_not_stop_the_keys_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_order, "PATIENCE", 0.01)
    app: App[int] = App()
    sent = asyncio.Queue[str]()

    async def send(event: Typed) -> bool:
        assert isinstance(event, events.Key)
        await sent.put(event.key)
        return True

    async with app.run_test():
        # The queue of a widget that is removed takes the last message and handles it no more.
        monkeypatch.setattr(app.screen, "call_later", lambda *_: True)
        order = KeyOrder(app, send, lambda _: False)
        await order.take(events.Key("enter", None))
        await order.take(events.Key("a", "a"))
        async with asyncio.timeout(10):
            assert [await sent.get(), await sent.get()] == ["enter", "a"]


async def test_a_move_waits_for_nothing_and_another_key_for_what_follows_from_it() -> None:
    app: App[int] = App()
    done: list[str] = []

    async def send(event: Typed) -> bool:
        assert isinstance(event, events.Key)
        done.append(event.key)
        return True

    def move(event: Typed) -> bool:
        if not isinstance(event, events.Key) or event.key != "down":
            return False
        done.append(event.key)
        app.screen.call_later(done.append, "follows")
        return True

    async with app.run_test() as pilot:
        order = KeyOrder(app, send, move)
        for key in ("down", "down", "enter"):
            await order.take(events.Key(key, None))
        assert done == ["down", "down"]
        await pilot.pause()
        assert done == ["down", "down", "follows", "follows", "enter"]


async def test_a_key_goes_its_way_where_a_widget_on_it_does_something_with_keys() -> None:
    class Listens(Widget):
        def on_key(self) -> None:
            """Do something with a key."""

    inner, field, plain = Widget(), Input(), Widget()

    class Window(App[int]):
        def compose(self) -> Iterator[Widget]:
            yield Listens(inner)
            yield Widget(plain)
            yield field

    async with Window().run_test() as pilot:
        screen = pilot.app.screen
        assert [takes_keys(each, screen) for each in (inner, field, plain, None)] == [True, True, False, False]
