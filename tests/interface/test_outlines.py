"""The table of outlines follows the declarations."""

from __future__ import annotations

from docs.making import outlines
from svc_tui.interface.outlines import TABLE


def test_the_table_of_outlines_is_current() -> None:
    assert TABLE.read_text("utf-8") == outlines.text(), "run `python -m docs.making`"
