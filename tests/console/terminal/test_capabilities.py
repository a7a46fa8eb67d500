"""Capabilities of a terminal from its environment."""

import pytest

from svc_tui.console.terminal.capabilities import TRUE_COLOUR, capabilities
from svc_tui.console.terminal.theme import choose_theme

MODERN = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "de_DE.UTF-8"}


def test_a_modern_terminal_can_do_everything() -> None:
    can = capabilities(MODERN)
    assert can.colours == TRUE_COLOUR
    assert can.unicode and can.mouse and can.scroll_region and can.hyperlinks
    assert not can.over_ssh and not can.in_tmux and not can.dumb
    assert can.clipboard == ("osc52", "file")


@pytest.mark.parametrize("term", ["dumb", "", "unknown"])
def test_on_a_dumb_terminal_nothing_is_expected(term: str) -> None:
    can = capabilities({"TERM": term, "LANG": "C.UTF-8"})
    assert can.dumb
    assert can.colours == 0
    assert not can.mouse and not can.scroll_region and not can.hyperlinks
    assert can.clipboard == ("file",)


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "xterm"}, 16),
        ({"TERM": "vt100"}, 0),
        ({"TERM": "xterm-kitty"}, TRUE_COLOUR),
        ({"TERM": "xterm-direct"}, TRUE_COLOUR),
        (MODERN | {"NO_COLOR": "1"}, 0),
        (MODERN | {"NO_COLOR": ""}, TRUE_COLOUR),
    ],
)
def test_colours_are_counted(environment: dict[str, str], colours: int) -> None:
    assert capabilities(environment).colours == colours


@pytest.mark.parametrize(
    ("locale", "unicode"),
    [
        ({"LANG": "en_GB.UTF-8"}, True),
        ({"LANG": "en_GB.utf8"}, True),
        ({"LANG": "de_DE.ISO-8859-1"}, False),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, False),
        ({"LC_CTYPE": "POSIX"}, False),
        ({"LANG": "x.nonsense"}, False),
        ({}, True),
    ],
)
def test_unicode_follows_the_locale(locale: dict[str, str], unicode: bool) -> None:
    assert capabilities({"TERM": "xterm"} | locale).unicode is unicode


def test_the_linux_console_has_too_few_signs() -> None:
    assert not capabilities({"TERM": "linux", "LANG": "C.UTF-8"}).unicode


def test_in_tmux_osc52_is_not_tried() -> None:
    assert capabilities(MODERN | {"TMUX": "/tmp/tmux-1/default,1,0"}).clipboard == ("tmux", "file")


def test_over_ssh_and_without_true_colour_the_terminals_own_colours_are_used() -> None:
    ssh = MODERN | {"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}
    assert choose_theme("", capabilities(ssh), light=True) == "terminal"
    assert choose_theme("dark", capabilities(ssh), light=True) == "dark"
    assert choose_theme("", capabilities({"TERM": "xterm-256color"}), light=False) == "terminal"
    assert choose_theme("", capabilities(MODERN), light=False) == "dark"
    assert choose_theme("", capabilities(MODERN), light=True) == "light"


def test_without_colours_only_the_terminals_own_theme_is_readable() -> None:
    mono = MODERN | {"NO_COLOR": "1"}
    assert choose_theme("dark", capabilities(mono), light=True) == "terminal"


def test_a_browser_is_not_scrolled_by_margins() -> None:
    assert not capabilities(MODERN | {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}).scroll_region


def test_cells_are_erased_only_where_terminals_know_it() -> None:
    erasing = ("xterm-256color", "tmux-256color", "linux", "xterm-kitty")
    assert all(capabilities(MODERN | {"TERM": term}).erases_cells for term in erasing)
    assert not any(capabilities({"TERM": term}).erases_cells for term in ("vt100", "vt220", "screen", "dumb", "ansi"))
    assert capabilities({"TERM": "screen", "TMUX": "/tmp/tmux-0/default,1,0"}).erases_cells
