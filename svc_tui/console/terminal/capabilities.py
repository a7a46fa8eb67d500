"""The capabilities of the terminal, from the environment alone; nothing is sent to it."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from svc_tui.language import _

Colours = Literal[0, 16, 256, 16777216]
ClipboardWay = Literal["tmux", "osc52", "file"]

TRUE_COLOUR: Colours = 16777216
#: The variable that requests the linear mode.
LINEAR = "SVC_TUI_LINEAR"
_NOT_A_SCREEN = frozenset({"", "dumb", "unknown", "emacs"})
_TRUE_COLOUR_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "ghostty", "vscode", _("Hyper"), "rio", "mintty"})
_TRUE_COLOUR_TERMS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "konsole")
_COLOURLESS_TERMS = ("vt100", "vt102", "vt220", "vt52", "ansi-mono", "xterm-mono")
#: Terminals that cannot erase a number of cells, or keep the colours of what they erase.
_NO_ERASING = ("vt", "ansi", "cons", "screen", "sun")
#: Terminals that erase with the background of the pen.
_ERASING_IN_COLOUR = ("xterm", "alacritty", "foot", "kitty", "linux", "rxvt", "wezterm")
_NO_LINKS = ("linux", "vt", "screen", "cons")


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities of a terminal.

    `colours` is 0, 16, 256 or 16777216; `clipboard` are the ways of copying, in order; a `dumb` terminal cannot draw a
    screen.
    """

    term: str
    colours: Colours
    unicode: bool
    mouse: bool
    clipboard: tuple[ClipboardWay, ...]
    scroll_region: bool
    erases_cells: bool
    #: Whether erased cells get the background of the pen (`bce` of terminfo); elsewhere spaces are sent.
    erases_in_colour: bool
    hyperlinks: bool
    over_ssh: bool
    in_tmux: bool
    dumb: bool
    #: Whether views are read as lines, for screen readers and where no screen can be drawn.
    linear: bool = False

    @property
    def plain_colours(self) -> bool:
        """Whether the sixteen colours of the terminal are preferable: over SSH, and without true colour."""
        return self.over_ssh or self.colours != TRUE_COLOUR


def capabilities(environment: Mapping[str, str]) -> Capabilities:
    """The capabilities that environment variables describe."""
    term = environment.get("TERM", "")
    dumb = term in _NOT_A_SCREEN
    in_tmux = bool(environment.get("TMUX"))
    return Capabilities(
        term=term,
        colours=_colours(environment, term, dumb),
        unicode=_unicode(environment, term),
        mouse=not dumb and environment.get("SVC_TUI_MOUSE", "1").lower() not in ("0", "no", "off"),
        clipboard=_clipboard(in_tmux, term, dumb),
        # The browser terminal has another driver, without margins.
        scroll_region=not dumb and "TEXTUAL_DRIVER" not in environment,
        erases_cells=not dumb and (in_tmux or not term.startswith(_NO_ERASING)),
        erases_in_colour=term.startswith(_ERASING_IN_COLOUR),
        hyperlinks=not dumb and not in_tmux and not term.startswith(_NO_LINKS),
        over_ssh=any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")),
        in_tmux=in_tmux,
        dumb=dumb,
        linear=dumb or environment.get(LINEAR, "").lower() in ("1", "yes", "on"),
    )


def _colours(environment: Mapping[str, str], term: str, dumb: bool) -> Colours:
    if dumb or environment.get("NO_COLOR") or term.startswith(_COLOURLESS_TERMS):
        return 0
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return TRUE_COLOUR
    if environment.get("TERM_PROGRAM") in _TRUE_COLOUR_PROGRAMS or term.startswith(_TRUE_COLOUR_TERMS):
        return TRUE_COLOUR
    if term.endswith("-direct"):
        return TRUE_COLOUR
    return 256 if "256" in term else 16


def _unicode(environment: Mapping[str, str], term: str) -> bool:
    """Whether more than ASCII can be drawn; the font of the Linux console has too few characters."""
    if term == "linux":
        return False
    locale = next((environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), "")
    *_language, encoding = locale.partition("@")[0].partition(".")
    try:
        return codecs.lookup(encoding).name in ("utf-8", "utf-16", "gb18030") if encoding else _bare(locale)
    except LookupError:
        return False


def _bare(locale: str) -> bool:
    """The encoding of a locale that names none: ASCII for C and POSIX; without a locale, as in containers, UTF-8."""
    return locale not in ("C", "POSIX")


def _clipboard(in_tmux: bool, term: str, dumb: bool) -> tuple[ClipboardWay, ...]:
    """The ways of copying. tmux usually blocks OSC 52, and the Linux console has no clipboard."""
    if in_tmux:
        return ("tmux", "file")
    return ("file",) if dumb or term.startswith(("linux", "vt")) else ("osc52", "file")
