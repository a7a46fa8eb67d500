"""Pens: the style of a terminal cell in one normal form, and the shortest way from one pen to another."""

from functools import lru_cache
from typing import NamedTuple

_SET_ATTRIBUTES = frozenset({"1", "2", "3", "4", "5", "6", "7", "8", "9", "21", "51", "52", "53"})
#: Attributes that can be seen on a blank: underlines, reverse, strike, frames, overline.
_SEEN_ON_BLANK = frozenset({"4", "7", "9", "21", "51", "52", "53"})
_REVERSE = "7"


class Pen(NamedTuple):
    """How cells are drawn. Colours are SGR parameters, "" is the terminal's own; `link` is the inside of an OSC 8."""

    attributes: frozenset[str] = frozenset()
    foreground: str = ""
    background: str = ""
    link: str = ""


PLAIN = Pen()


@lru_cache(maxsize=2048)
def pen(before: Pen, parameters: str) -> Pen:
    """The pen after the SGR sequence with these parameters."""
    attributes, foreground, background, link = before
    codes = parameters.split(";") if parameters else ["0"]
    while codes:
        code = codes.pop(0)
        if code in ("0", ""):
            attributes, foreground, background = frozenset(), "", ""
        elif code in _SET_ATTRIBUTES:
            attributes |= {code}
        elif code in ("38", "48"):
            count = 2 if codes[:1] == ["5"] else 4
            color = ";".join([code, *codes[:count]])
            del codes[:count]
            if code == "38":
                foreground = color
            else:
                background = color
        elif code == "39":
            foreground = ""
        elif code == "49":
            background = ""
        elif code.startswith(("3", "9")):
            foreground = code
        elif code.startswith(("4", "10")):
            background = code
    return Pen(attributes, foreground, background, link)


@lru_cache(maxsize=2048)
def blank_of(drawn_with: Pen) -> Pen:
    """What is seen of a pen on a blank: equal blanks are equal cells, whatever they were drawn with."""
    attributes = drawn_with.attributes & _SEEN_ON_BLANK
    # Reversed, the text colour fills the cell; under- and overlines are drawn in it.
    foreground = drawn_with.foreground if attributes else ""
    if _REVERSE in attributes:
        attributes |= drawn_with.attributes & {"1", "2"}
    return Pen(attributes, foreground, drawn_with.background, drawn_with.link)


@lru_cache(maxsize=4096)
def change(before: Pen, after: Pen) -> str:
    """The shortest sequence that turns one pen into another."""
    link = f"\x1b]8;{after.link or ';'}\x1b\\" if before.link != after.link else ""
    if before[:3] == after[:3]:
        return link
    anew = [*_codes(after)]
    if before[:3] != PLAIN[:3] and anew:
        anew.insert(0, "0")
    best = ";".join(anew)
    if before.attributes <= after.attributes:
        more = sorted(after.attributes - before.attributes)
        if before.foreground != after.foreground:
            more.append(after.foreground or "39")
        if before.background != after.background:
            more.append(after.background or "49")
        best = min(best, ";".join(more), key=len)
    return f"\x1b[{best}m{link}"


def _codes(of: Pen) -> list[str]:
    return [*sorted(of.attributes), *filter(None, (of.foreground, of.background))]
