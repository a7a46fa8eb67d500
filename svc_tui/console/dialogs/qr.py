"""A QR code of half blocks. Light on dark is set explicitly, so that every background works."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.terminal.secrets import marked
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    import segno
else:
    segno = lazy_import("segno")

_LIGHT_ON_DARK = Style(color="white", bgcolor="black")
#: Upper and lower module of a cell (true is dark) -> the half block that is drawn light on dark.
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
#: Light modules around the code; two are enough for scanners.
QUIET = 2


def modules(text: str) -> list[list[bool]]:
    """The dark modules of the smallest code for a text, with its quiet zone."""
    code = segno.make_qr(text, error="l", boost_error=False)
    return [[bool(module & 1) for module in row] for row in code.matrix_iter(border=QUIET)]


class QrPicture(Widget):
    """A code, two modules per cell. One with a secret is masked in saved screens and recordings."""

    def __init__(self, text: str, *, secret: bool = False) -> None:
        super().__init__()
        self._secret = secret
        self._modules = modules(text)
        self.styles.width = self.columns
        self.styles.height = self.rows

    @property
    def columns(self) -> int:
        return len(self._modules[0])

    @property
    def rows(self) -> int:
        return (len(self._modules) + 1) // 2

    def render_line(self, y: int) -> Strip:
        upper = self._modules[2 * y] if 2 * y < len(self._modules) else []
        lower = self._modules[2 * y + 1] if 2 * y + 1 < len(self._modules) else [False] * len(upper)
        text = "".join(_BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        return Strip([Segment(text, marked(_LIGHT_ON_DARK) if self._secret else _LIGHT_ON_DARK)], len(text))


class QrCode(Box[None]):
    """A code, or a notice that the terminal is too small for it."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self._picture = QrPicture(text)

    def body(self) -> Iterable[Widget]:
        rows, columns = self._picture.rows + 3, self._picture.columns + 4
        size = self.app.size
        if size.height >= rows and size.width >= columns:
            yield self._picture
        else:
            yield plain(
                _(
                    "The QR code needs {columns}x{rows}; this terminal has {width}x{height}.\nEnlarge the "
                    "terminal, or use the address."
                ).format(columns=columns, rows=rows, width=size.width, height=size.height)
            )
