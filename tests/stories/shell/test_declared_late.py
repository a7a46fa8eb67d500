"""A record that is opened while the declaration of the interface is loaded."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.console.shell.frame import Frame
from tests.stories.driver import profile, story


@pytest.fixture
def declared_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The declaration is there when a view is about to be shown, and not when the view was made."""
    show = Frame.show

    async def shown(frame: Frame, *args: Any, **options: Any) -> None:
        frame.declared = True
        frame.navigator.declare_views()
        await show(frame, *args, **options)

    monkeypatch.setattr(Frame, "show", shown)


async def test_its_fields_get_their_labels(service: str, declared_late: None) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        person.app.frame.declared = False
        await person.press("enter")
        await person.sees("▸ Campus Client", "Identity", "Secret")
        await person.does_not_see("appSecret")
