"""Lists of rows that two administrators change at the same time (`editing/conflicts.py`)."""

from __future__ import annotations

import pytest

from svc_tui.console.editing.conflicts import find_conflicts, merge_rows

ONE, TWO, THREE = ({"name": name, "value": "1"} for name in ("one", "two", "three"))
OTHER_TWO = {"name": "two", "value": "2"}


@pytest.mark.parametrize(
    ("mine", "theirs", "merged"),
    [
        ([ONE, TWO], [ONE, THREE], [ONE, TWO, THREE]),
        ([ONE, TWO], [TWO], None),
        ([ONE, TWO], [ONE, OTHER_TWO], None),
        ([], [ONE, THREE], [THREE]),
        ([], [THREE], None),
        ([ONE], [ONE, THREE], None),
    ],
    ids=["other rows", "the same row", "another row of this name", "one removed", "removed by both", "none of mine"],
)
def test_rows_of_both_sides_are_merged_unless_they_are_the_same(
    mine: list[object], theirs: list[object], merged: list[object] | None
) -> None:
    assert merge_rows([ONE], mine, theirs) == merged
    found = find_conflicts({"rows": [ONE]}, {"rows": theirs}, {"rows": mine})
    assert found.merged == ({} if merged is None else {"rows": merged})
    assert found.edited == {"rows"}
