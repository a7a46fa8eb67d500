"""The order of keys for dialogs."""

from __future__ import annotations

from textual import events
from textual.app import App

from svc_tui.console.shell.key_order import KeyOrder, Typed


async def test_keys_that_return_one_at_a_time_keep_their_order() -> None:
    """They come back from a view that lost the focus, while later keys already wait."""
    app: App[int] = App()
    sent: list[str] = []

    async def send(event: Typed) -> None:
        assert isinstance(event, events.Key)
        sent.append(event.key)

    async with app.run_test() as pilot:
        order = KeyOrder(app, send)
        # `enter` is handled by the dialog first, and later keys wait.
        await order.take(events.Key("enter", None))
        await order.take(events.Key("c", "c"))
        order.take_first([events.Key("a", "a")])
        order.take_first([events.Key("b", "b")])
        await pilot.pause()
    assert sent == ["enter", "a", "b", "c"]
