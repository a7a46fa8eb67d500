"""The order of keys."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.app import App

from svc_tui.console.shell import key_order
from svc_tui.console.shell.key_order import KeyOrder, Typed


async def test_keys_that_return_one_at_a_time_keep_their_order() -> None:
    """They come back from a view that lost the focus, while later keys already wait."""
    app: App[int] = App()
    sent: list[str] = []

    async def send(event: Typed) -> bool:
        assert isinstance(event, events.Key)
        sent.append(event.key)
        return True

    async with app.run_test() as pilot:
        order = KeyOrder(app, send)
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
        order = KeyOrder(app, send)
        await order.take(events.Key("enter", None))
        await order.take(events.Key("a", "a"))
        async with asyncio.timeout(10):
            assert [await sent.get(), await sent.get()] == ["enter", "a"]
