"""A copied row as users paste it: no words of a programming language."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.console.editing.copying import row_cell


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (1.5, "1.5"),
        (["user", "admin"], "user, admin"),
        ([], ""),
        (("a", True, None), "a, true, "),
        ([1, 2.5], "1, 2.5"),
        ([{"type": "work", "value": "á"}], '[{"type": "work", "value": "á"}]'),
        ({"open": True}, '{"open": true}'),
        ("two\nlines\tand a tab", "two lines and a tab"),
    ],
)
def test_a_cell_is_plain_text(value: Any, text: str) -> None:
    assert row_cell(value) == text
