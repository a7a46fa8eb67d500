"""The cursor is always on a record, and always in sight."""

from hypothesis import given
from hypothesis import strategies as st

from svc_tui.console.widgets.list.rows import Window

steps = st.lists(
    st.tuples(st.sampled_from(["go", "page", "scroll", "follow", "count", "seen"]), st.integers(-30, 60)), max_size=30
)


@given(st.integers(0, 50), st.integers(0, 20), steps)
def test_the_cursor_is_always_visible(count: int, seen: int, taken: list[tuple[str, int]]) -> None:
    window = Window(count=count, seen=seen)
    for name, by in taken:
        if name in ("count", "seen"):
            setattr(window, name, abs(by))
            window.go(window.cursor)
        else:
            getattr(window, name)(max(min(by, window.count - 1), 0) if name == "follow" else by)
        assert 0 <= window.cursor < max(window.count, 1)
        assert 0 <= window.top <= max(window.count - window.seen, 0)
        if window.seen and window.count:
            assert window.top <= window.cursor < window.top + window.seen
        first, last = window.near()
        assert first >= 0
        assert last < window.count or window.count == 0


def test_a_page_keeps_one_line_in_sight() -> None:
    window = Window(count=100, seen=10)
    window.page(1)
    assert (window.top, window.cursor) == (9, 9)
    window.page(-1)
    assert (window.top, window.cursor) == (0, 0)
    window.go(99)
    assert window.top == 90
    window.page(1)
    assert (window.top, window.cursor) == (90, 99)


def test_a_record_that_moved_stays_on_its_line_of_the_screen() -> None:
    window = Window(count=100, seen=10, cursor=50, top=45)
    window.follow(57)
    assert (window.top, window.cursor) == (52, 57)
    window.follow(2)
    assert (window.top, window.cursor) == (0, 2)


def test_a_scroll_by_half_a_page_happens_only_at_the_edge() -> None:
    window = Window(count=100, seen=10)
    tops = []
    for index in (*range(1, 17), *range(15, 3, -1)):
        window.go(index, leap=5)
        tops.append(window.top)
    assert tops == [*[0] * 9, *[6] * 6, 12, *[12] * 4, *[6] * 6, 0, 0]
