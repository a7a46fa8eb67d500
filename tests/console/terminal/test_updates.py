"""The picture that arrives by differences is the one that Textual drew, whatever is drawn in whatever order."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len, set_cell_size

from svc_tui.console.terminal.picture import Picture
from svc_tui.console.terminal.updates import Terminal
from tests.support.pty import Emulator, FillingScreen

COLUMNS, ROWS = 20, 8
STYLES = ["", "1", "2", "7", "31", "32;44", "38;5;200", "48;2;1;2;3", "38;2;9;8;7;48;2;1;2;3", "4", "39;49", "1;7;33"]
WORDS = [
    "a",
    "word",
    "     ",
    "  x  ",
    "名前",
    "é",
    "▌*",
    "e\u0301e",
    "long stretch",
    "日",
    "☎ b",
    "|",
    "--------",
    "a          b",
]

piece = st.tuples(st.sampled_from(STYLES), st.sampled_from(WORDS))
narrow = st.tuples(st.sampled_from(STYLES), st.sampled_from(["a", "word", "   x"]))
pieces = st.lists(piece, max_size=4)


def raw_line(y: int, x: int, parts: list[tuple[str, str]]) -> str:
    """A piece of a frame as Textual writes it: placed, each run in its style and reset; never beyond the line."""
    out = f"\x1b[{y + 1};{x + 1}H"
    for style, text in parts:
        kept = set_cell_size(text, min(cell_len(text), COLUMNS - x))
        x += cell_len(kept)
        out += f"\x1b[{style}m{kept}\x1b[0m" if style else kept
    return out


def raw_frame(lines: list[list[tuple[str, str]]]) -> str:
    """A frame of complete lines, with spaces by default."""
    return "".join(raw_line(y, 0, [*line, ("", " " * COLUMNS)]) for y, line in enumerate(lines))


@st.composite
def frames(draw: st.DrawFn) -> list[str]:
    """Some frames: first all lines, then lines drawn again, moved up or down, or drawn in part."""
    lines = [draw(pieces) for _ in range(ROWS)]
    made = [raw_frame(lines)]
    for _ in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["one", "move", "band", "part"]))
        y = draw(st.integers(0, ROWS - 1))
        if kind == "part":
            # The emulator does not blank the other half of a wide character, as terminals do.
            lines[y] = [part for part in lines[y] if cell_len(part[1]) == len(part[1])]
            made.append(raw_frame(lines) + raw_line(y, draw(st.integers(0, COLUMNS - 1)), [draw(narrow)]))
            continue
        if kind == "one":
            lines[y] = draw(pieces)
        else:
            first, last = (0, ROWS) if kind == "move" else sorted([y, draw(st.integers(0, ROWS))])
            block = lines[first:last]
            if block:
                by = draw(st.sampled_from([-3, -1, 1, 2, 6])) % len(block)
                lines[first:last] = block[by:] + [draw(pieces) for _ in range(by)]
        made.append(raw_frame(lines))
    return [frame + "\x1b[1;1H" for frame in made]


@settings(max_examples=400, deadline=None)
@given(frames(), st.booleans(), st.booleans(), st.sampled_from(["\n", "\x1bD"]))
def test_the_terminal_shows_what_was_drawn(drawn: list[str], scroll_region: bool, in_colour: bool, down: str) -> None:
    full, frugal, filling = Emulator(COLUMNS, ROWS), Emulator(COLUMNS, ROWS), Emulator(COLUMNS, ROWS, FillingScreen)
    for emulator in (full, frugal, filling):
        emulator.feed(b"\x1b[?7l")
    picture, terminal = Picture(), Terminal(scroll_region, erases_in_colour=in_colour)
    terminal.down = down
    for frame in drawn:
        full.feed(frame.encode())
        picture.draw(frame)
        changes = terminal.show(picture).encode()
        frugal.feed(changes)
        filling.feed(changes)
        assert frugal.screen.cells() == full.screen.cells()
        assert filling.screen.cells() == full.screen.cells()
        assert terminal.show(picture) == ""
