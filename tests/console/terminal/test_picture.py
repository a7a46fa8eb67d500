"""What differences take care of, case by case."""

from svc_tui.console.terminal.moves import Move, best_move
from svc_tui.console.terminal.pens import PLAIN
from svc_tui.console.terminal.picture import Picture
from svc_tui.console.terminal.updates import Terminal
from tests.support.pty import Emulator


def drawn(*frames: str) -> Picture:
    """A picture after these frames, each of which ends with the cursor at the origin, as Textual's do."""
    return draw(Picture(), *frames)


def draw(picture: Picture, *frames: str) -> Picture:
    """Draw more frames."""
    for frame in frames:
        picture.draw(frame + "\x1b[1;1H")
    return picture


def test_a_wide_character_of_which_half_is_drawn_over_leaves_a_blank() -> None:
    assert drawn("\x1b[1;1H名前").lines[0].texts == ["名", "", "前", ""]
    assert drawn("\x1b[1;1H名前", "\x1b[1;2Ha").lines[0].texts == [" ", "a", "前", ""]
    assert drawn("\x1b[1;1H名前", "\x1b[1;1Ha").lines[0].texts == ["a", " ", "前", ""]


def test_a_run_that_is_drawn_again_has_cells_of_its_own() -> None:
    run = "\x1b[31mred 名\x1b[0m plain"
    picture = drawn(f"\x1b[1;1H{run}\x1b[2;1H{run}", "\x1b[1;2H\x1b[32mXY\x1b[0m")
    assert ["".join(line.texts) for line in picture.lines] == ["rXY 名 plain", "red 名 plain"]
    assert picture.lines[1] == drawn(f"\x1b[1;1H{run}").lines[0] != picture.lines[0]
    draw(picture, f"\x1b[1;1H{run}")
    assert picture.lines[0] == picture.lines[1]


def test_a_run_has_the_pen_of_the_one_before_it() -> None:
    picture = drawn("\x1b[1;1Hab\x1b[31m\nab\n\x1b[3;3Hab\x1b[0m\nab\x1b[2;9Hab")
    assert ["".join(line.texts).replace("unknown", "?") for line in picture.lines] == ["ab", "ab??????ab", "??ab", "ab"]
    assert [line.pens[-2].foreground for line in picture.lines] == ["", "", "31", ""]
    assert picture.lines[1].pens[0].foreground == "31"


def test_controls_in_a_frame_are_left_out() -> None:
    picture = drawn("\x1b[1;1Ha\x07\x08\x1bc\x9bb\tc")
    assert "".join(picture.lines[0].texts) == "acbc"


def test_after_a_character_of_doubtful_width_the_cursor_is_positioned_again() -> None:
    sent = Terminal().show(drawn("\x1b[1;1H👍ab⚠c"))
    assert sent == "\x1b[m\x1b[H👍\x1b[1;3Hab⚠\x1b[1;6Hc"


def test_a_changed_character_costs_its_place_and_itself() -> None:
    terminal, picture = Terminal(), drawn("\x1b[3;1Hone two three")
    terminal.show(picture)
    draw(picture, "\x1b[3;1Hone 2wo three")
    assert terminal.show(picture) == "\r\x1b[4C2"
    draw(picture, "\x1b[3;1Hone 2wo three")
    assert terminal.show(picture) == ""


def test_the_pen_stays_until_something_else_is_written() -> None:
    terminal, picture = Terminal(), drawn("\x1b[1;1H\x1b[31mred\x1b[0m")
    assert terminal.show(picture).endswith("\x1b[31mred")
    draw(picture, "\x1b[2;1H\x1b[31mmore\x1b[0m")
    assert "m" not in terminal.show(picture).removesuffix("more")
    assert terminal.rest() == "\x1b[m"
    assert terminal.rest() == ""


def test_a_link_ends_with_its_picture() -> None:
    terminal = Terminal()
    changes = terminal.show(drawn("\x1b[1;1H\x1b]8;;https://a.example\x1b\\page\x1b]8;;\x1b\\"))
    assert changes.endswith("page\x1b]8;;\x1b\\")


def test_after_other_output_the_pen_is_chosen_again() -> None:
    terminal, picture = Terminal(), drawn("\x1b[1;1H\x1b[31mred\x1b[0m")
    terminal.show(picture)
    terminal.forget()
    assert terminal.show(picture) == "\x1b[m\x1b[H\x1b[31mred"


def test_blanks_at_the_end_are_erased_only_where_all_of_the_line_is_known() -> None:
    emulator, terminal = Emulator(20, 3), Terminal()
    emulator.feed(b"\x1b[2;15Hkept")
    picture = drawn("\x1b[1;1H" + "x" * 20, "\x1b[2;1Hab" + " " * 8)
    emulator.feed(terminal.show(picture).encode())
    assert emulator.screen.display[1] == "ab" + " " * 12 + "kept  "
    draw(picture, "\x1b[1;1Hxx" + " " * 18)
    sent = terminal.show(picture)
    emulator.feed(sent.encode())
    assert sent == "\x1b[1;3H\x1b[K"
    assert emulator.screen.display[0].rstrip() == "xx"


def test_coloured_blanks_are_not_erased_since_terminals_differ_in_that() -> None:
    sent = Terminal().show(drawn("\x1b[1;1Ha\x1b[44m" + " " * 10 + "\x1b[0m"))
    assert "\x1b[K" not in sent
    assert sent.count(" ") == 10


def test_lines_that_moved_are_moved_by_the_terminal() -> None:
    lines = [f"\x1b[{y};1H{y * 7919:040d}" for y in range(1, 11)]
    moved = [f"\x1b[{y};1H{(y + 1) * 7919:040d}" for y in range(1, 10)]
    before, after = drawn(*lines), drawn(*lines, *moved)
    changed = [y for y, line in enumerate(after.lines) if line != before.lines[y]]
    assert best_move(before.lines, after.lines, changed) == Move(0, 9, 1)
    assert best_move(after.lines, before.lines, changed) == Move(0, 8, -1)
    terminal = Terminal()
    terminal.show(before)
    assert terminal.show(after).startswith("\x1b[1;10r\x1b[10H\x1bD\x1b[r")
    without = Terminal(scroll_region=False)
    without.show(before)
    assert "\x1b[r" not in without.show(after)


def test_forgotten_lines_are_sent_again() -> None:
    terminal, picture = Terminal(), drawn("\x1b[1;1Habc")
    first = terminal.show(picture)
    terminal.forget()
    assert terminal.show(picture) == first


def test_cells_outside_a_smaller_screen_are_dropped() -> None:
    picture = drawn("\x1b[1;1Habc\x1b[2;1Hdef")
    picture.crop(2, 1)
    assert [line.texts for line in picture.lines] == [["a", "b"]]
    assert picture.lines[0].pens == [PLAIN, PLAIN]


def test_a_picture_without_colours_or_unicode_has_none() -> None:
    picture = Picture(unicode=False, colours=False)
    picture.draw("\x1b[1;1H\x1b[1;31;44m▌é日─\x1b[0m")
    assert picture.lines[0].texts == ["|", "e", "?", "?", "-"]
    assert {pen.foreground + pen.background for pen in picture.lines[0].pens} == {""}
    assert picture.lines[0].pens[0].attributes == {"1"}


def test_without_colours_borders_are_dim_and_text_is_not() -> None:
    picture = Picture(colours=False)
    picture.draw("\x1b[1;1H╭─\x1b[1m One \x1b[0m─╮\x1b[2;1H│ │\x1b[3;1H├─ branch")
    assert ["".join("d" if "2" in pen.attributes else "." for pen in line.pens) for line in picture.lines] == [
        *("dd.....dd", "d.d", "." * 9)
    ]
    coloured = Picture()
    coloured.draw("\x1b[1;1H╭─╮")
    assert not coloured.lines[0].pens[0].attributes
