"""Pens: the style of a terminal cell in a normal form, and the shortest change from one pen to another."""

from functools import lru_cache
from typing import NamedTuple

#: Attribute -> the code that ends it.
_ENDED_BY = (
    {"1": "22", "2": "22", "3": "23", "4": "24", "21": "24", "5": "25", "6": "25"}
    | {"7": "27", "8": "28", "9": "29"}
    | {"51": "54", "52": "54", "53": "55"}
)
_ENDS = frozenset(_ENDED_BY.values())
#: Attributes that are visible on a space: underlines, reverse, strike, frames, overline.
_SEEN_ON_BLANK = frozenset({"4", "7", "9", "21", "51", "52", "53"})
_REVERSE = "7"


class Pen(NamedTuple):
    """The style of cells. Colours are SGR parameters ("" for the default); `link` is the content of an OSC 8."""

    attributes: frozenset[str] = frozenset()
    foreground: str = ""
    background: str = ""
    link: str = ""


PLAIN = Pen()
#: Instead of a link: the cells show a secret. It never reaches the terminal.
SECRET = "svc-tui:secret"

#: The levels of a channel in the fixed part (16 to 231) of the 256 colours, which the greys follow.
_LEVELS = (0, 95, 135, 175, 215, 255)
_GREYS = {8 + 10 * step: 232 + step for step in range(24)}


def indexed(color: str) -> str:
    """A true colour by its number among the 240 fixed ones if possible, which takes half the bytes."""
    code, _, rest = color.partition(";")
    if not rest.startswith("2;"):
        return color
    channels = tuple(int(part) if part.isdigit() else -1 for part in rest.split(";")[1:])
    if len(set(channels)) == 1 and channels[0] in _GREYS:
        return f"{code};5;{_GREYS[channels[0]]}"
    if len(channels) == 3 and all(channel in _LEVELS for channel in channels):
        red, green, blue = (_LEVELS.index(channel) for channel in channels)
        return f"{code};5;{16 + 36 * red + 6 * green + blue}"
    return color


@lru_cache(maxsize=2048)
def pen(before: Pen, parameters: str) -> Pen:
    """The pen after the SGR sequence with these parameters."""
    attributes, foreground, background, link = before
    codes = parameters.split(";") if parameters else ["0"]
    while codes:
        code = codes.pop(0)
        if code in ("0", ""):
            attributes, foreground, background = frozenset(), "", ""
        elif code in _ENDED_BY:
            attributes |= {code}
        elif code in _ENDS:
            attributes = frozenset(attribute for attribute in attributes if _ENDED_BY[attribute] != code)
        elif code in ("38", "48"):
            count = 2 if codes[:1] == ["5"] else 4
            color = indexed(";".join([code, *codes[:count]]))
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
    """The visible part of a pen on a space, so that spaces that look the same are equal cells."""
    attributes = drawn_with.attributes & _SEEN_ON_BLANK
    # In reverse, the text colour fills the cell; underlines and overlines have it.
    foreground = drawn_with.foreground if attributes else ""
    if _REVERSE in attributes:
        attributes |= drawn_with.attributes & {"1", "2"}
    return Pen(attributes, foreground, drawn_with.background, drawn_with.link)


@lru_cache(maxsize=4096)
def change(before: Pen, after: Pen) -> str:
    """The shortest sequence from one pen of the terminal to another; empty if they look the same."""
    link = f"\x1b]8;{_sent(after) or ';'}\x1b\\" if _sent(before) != _sent(after) else ""
    if before[:3] == after[:3]:
        return link
    complete = [*_codes(after)]
    if before[:3] != PLAIN[:3] and complete:
        complete.insert(0, "0")
    return f"\x1b[{min(';'.join(complete), _differences(before, after), key=len)}m{link}"


def _sent(of: Pen) -> str:
    """The link of a pen as the terminal gets it."""
    return "" if of.link == SECRET else of.link


def _differences(before: Pen, after: Pen) -> str:
    """The parameters of the differences only. One code ends bold and faint together, for example."""
    ended = {_ENDED_BY[attribute] for attribute in before.attributes - after.attributes}
    kept = {attribute for attribute in before.attributes if _ENDED_BY[attribute] not in ended}
    codes = sorted(ended) + sorted(after.attributes - kept)
    if before.foreground != after.foreground:
        codes.append(after.foreground or "39")
    if before.background != after.background:
        codes.append(after.background or "49")
    return ";".join(codes)


def _codes(of: Pen) -> list[str]:
    return [*sorted(of.attributes), *filter(None, (of.foreground, of.background))]
