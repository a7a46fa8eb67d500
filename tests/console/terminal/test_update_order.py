"""What is not sent: colours of columns for every row again, and a border beside rows that scroll."""

from svc_tui.console.terminal.picture import Picture
from svc_tui.console.terminal.updates import Terminal
from tests.support.pty import Emulator

ROWS = 12
NAME, STATE, REST = "1;38;5;255", "38;5;114", "38;5;249"


def frame(first: int, bordered: bool) -> str:
    """A list from a row on, with a bold name, a green state and quiet columns, in a border if wanted."""
    edge = "\x1b[38;5;238m│\x1b[0m" if bordered else ""
    rows = (
        f"\x1b[{y + 1};1H{edge}\x1b[{NAME}mname {n:03}  \x1b[0m\x1b[{STATE}mstate{n % 7}  \x1b[0m"
        f"\x1b[{REST}mrest {n:03}\x1b[0m{edge}"
        for y, n in enumerate(range(first, first + ROWS))
    )
    return "".join(rows) + "\x1b[1;1H"


def sent(first: int, then: int, bordered: bool) -> str:
    """The bytes for the second picture; the terminal shows it."""
    picture, terminal, emulator = Picture(), Terminal(), Emulator(30, ROWS)
    for start in (first, then):
        picture.draw(frame(start, bordered))
        changes = terminal.show(picture)
        emulator.feed(changes.encode())
    whole = Emulator(30, ROWS)
    whole.feed(frame(then, bordered).encode())
    assert emulator.screen.cells() == whole.screen.cells()
    return changes


def test_a_page_sends_the_colour_of_each_column_once_and_not_that_of_the_last_one() -> None:
    changes = sent(0, 100, bordered=False)
    assert [changes.count(colour) for colour in (NAME, "38;5;114", "38;5;249")] == [1, 1, 0]


def test_a_border_beside_rows_is_not_sent_again() -> None:
    assert "│" not in sent(0, 100, bordered=True)
    # A scrolled row is new: its two ends are sent, and no others.
    assert sent(0, 1, bordered=True).count("│") == 2


def test_cells_of_a_column_follow_each_other_without_their_position() -> None:
    changes = sent(0, 10, bordered=True)
    # Ten rows get another number, in the same two columns.
    assert changes.count("H") <= 3, changes
    assert changes.count("\x1bD\b") >= 9


def test_a_space_between_two_words_is_sent_not_skipped() -> None:
    picture, terminal = Picture(), Terminal()
    for words in ("..... ......", "Parcel Studio"):
        picture.draw(f"\x1b[1;1H\x1b[1m{words}\x1b[0m\x1b[1;1H")
        changes = terminal.show(picture)
    assert "Parcel Studio" in changes


def test_many_spaces_are_erased_where_the_terminal_knows_it() -> None:
    for erases, expected in ((True, "\x1b[21X"), (False, " " * 20)):
        picture, terminal = Picture(), Terminal(erases_cells=erases)
        for middle in ("d32161e741d64736a48c5", " " * 21):
            picture.draw(f"\x1b[1;1H|{middle}|\x1b[1;1H")
            changes = terminal.show(picture)
        assert expected in changes


def test_the_end_of_a_row_that_the_pen_draws_already_is_drawn_first() -> None:
    """A cursor that goes down leaves a row whose end has the pen of the row before it."""
    row = "".join(f"\x1b[{look};48;5;233m{look:10}\x1b[0m" for look in (NAME, STATE, REST))
    picture, terminal, emulator = Picture(), Terminal(), Emulator(30, 4)
    sent = []
    for cursor in range(4):
        rows = [row] * cursor + [f"\x1b[1;48;5;117m{'selected':30}\x1b[0m"] + [row] * (3 - cursor)
        frame = "".join(f"\x1b[{y + 1};1H{line}" for y, line in enumerate(rows)) + "\x1b[1;1H"
        picture.draw(frame)
        sent.append(terminal.show(picture))
        emulator.feed(sent[-1].encode())
        whole = Emulator(30, 4)
        whole.feed(frame.encode())
        assert emulator.screen.cells() == whole.screen.cells()
    # Every other move begins with the pen of the quiet end, and does not send it again.
    assert [f"\x1b[{REST}m" in changes for changes in sent[1:]] == [False, True, False], sent
