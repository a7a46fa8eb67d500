"""Keys that were typed before another record came to the cursor."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from textual import events

from svc_tui.console.shell.key_dispatch import KeyTarget


@pytest.mark.parametrize(
    ("needs", "marked", "stale"),
    [
        ("record", (), True),
        ("records", (), True),
        ("nothing", (), False),
        ("records", ("another",), False),
        # Marks do not matter for an action on the record under the cursor.
        ("record", ("another",), True),
    ],
)
def test_a_key_is_stale_unless_its_action_is_for_other_records(
    needs: str, marked: tuple[str, ...], stale: bool
) -> None:
    action: Any = SimpleNamespace(needs=needs)
    context: Any = SimpleNamespace(marked=marked)
    key = events.Key("x", "x")
    view: Any = SimpleNamespace(replaced_at=key.time + 1)
    assert KeyTarget(lambda: 0.0).is_stale(action, context, view, key) is stale
