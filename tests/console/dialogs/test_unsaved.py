"""Dialogs that edit something know what quitting would lose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from svc_tui.console.areas.voice.week_dialog import WeekEditor
from svc_tui.console.core.table_rows import EditedRows
from svc_tui.console.dialogs.box import NOT_SAVED, Box
from svc_tui.console.dialogs.table import TableEditor
from svc_tui.console.dialogs.text_editor import TextEditor
from svc_tui.interface.voice.cloudpbx_operations import ProhibitedNumber
from tests.console.dialogs.test_dialog_keys import Console


@pytest.mark.parametrize(
    ("dialog", "keys"),
    [
        (lambda: TextEditor("Text", "before"), "!"),
        (lambda: TableEditor("Numbers", EditedRows(ProhibitedNumber, [{"pattern": "118"}])), "n9"),
        (lambda: WeekEditor("Hours", None), ("space",)),
    ],
    ids=["text", "table", "week"],
)
async def test_only_changes_are_lost(dialog: Callable[[], Box[Any]], keys: Sequence[str]) -> None:
    app = Console({})
    async with app.run_test() as pilot:
        await app.push_screen(box := dialog())
        await pilot.pause()
        assert box.loss == ""
        await pilot.press(*keys)
        assert box.loss == NOT_SAVED
