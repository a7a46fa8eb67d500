"""States of all lists: each is a word or a mark, never a colour alone."""

from __future__ import annotations

import pytest

from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.terminal.text import width
from svc_tui.console.terminal.theme import STYLES
from svc_tui.console.widgets.list.columns import Column

STATES = [
    pytest.param(column, id=f"{name}-{column.field}")
    for name, resource in BY_NAME.items()
    for column in resource.display.columns
    if column.state
]


@pytest.mark.parametrize("column", STATES)
def test_a_state_is_a_word_or_mark_and_two_colours_are_two_words(column: Column) -> None:
    styles: dict[str, str] = {}
    for value, (word, style) in column.state.items():
        assert word.strip() or not style, f"{value!r} differs by its colour only"
        assert style in ("", *STYLES), style
        assert styles.setdefault(word, style) == style, f"{word!r} has two colours"
        assert width(word) <= column.width, f"{word!r} is cut"


def test_lists_have_states() -> None:
    assert len(STATES) > 10
