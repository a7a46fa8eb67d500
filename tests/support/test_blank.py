"""The search for blank rectangles finds them, and only those of the size that is asked for."""

from __future__ import annotations

import itertools

from tests.support.blank import Rectangle, largest_blank

SCREEN = [
    "xxxxxxxx",
    "x   xx x",
    "x   xx x",
    "x      x",
    "xxxxxxx ",
]


def test_the_largest_blank_rectangle_is_found() -> None:
    assert largest_blank(SCREEN) == Rectangle(1, 1, 3, 3)
    assert largest_blank(SCREEN, least=(4, 1)) == Rectangle(1, 3, 6, 1)
    assert largest_blank(SCREEN, least=(4, 2)) is None
    assert largest_blank(["", "ab"]) == Rectangle(0, 0, 2, 1)
    assert largest_blank([]) is None


def test_it_is_what_trying_all_rectangles_finds() -> None:
    for number in range(0, 4096, 37):
        lines = ["".join("x" if number >> (y * 4 + x) & 1 else " " for x in range(4)) for y in range(3)]
        areas = [
            (right - left) * (bottom - top)
            for left, right in itertools.combinations(range(5), 2)
            for top, bottom in itertools.combinations(range(4), 2)
            if not any(line[left:right].strip() for line in lines[top:bottom])
        ]
        found = largest_blank(lines)
        assert (found.width * found.height if found else 0) == max(areas, default=0)
