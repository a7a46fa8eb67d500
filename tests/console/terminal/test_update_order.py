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
    """What is sent for the second picture; the terminal shows it."""
    picture, terminal, emulator = Picture(), Terminal(), Emulator(30, ROWS)
    for start in (first, then):
        picture.draw(frame(start, bordered))
        changes = terminal.show(picture)
        emulator.feed(changes.encode())
    whole = Emulator(30, ROWS)
    whole.feed(frame(then, bordered).encode())
    assert emulator.screen.cells() == whole.screen.cells()
    return changes


def test_a_page_sends_the_colour_of_each_column_once() -> None:
    changes = sent(0, 100, bordered=False)
    assert [changes.count(colour) for colour in (NAME, "38;5;114", "38;5;249")] == [1, 1, 1]


def test_a_border_beside_rows_is_not_sent_again() -> None:
    assert "│" not in sent(0, 100, bordered=True)
    # A scrolled row is new: its two ends are sent, and no others.
    assert sent(0, 1, bordered=True).count("│") == 2
