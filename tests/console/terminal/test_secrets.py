"""Secrets on the screen are marked wherever they are drawn, and masked in recordings; the terminal gets no mark."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from textual.app import App, ComposeResult
from textual.widget import Widget

from svc_tui.console.dialogs.box import SecretText
from svc_tui.console.dialogs.qr import QrPicture
from svc_tui.console.terminal.picture import Picture
from svc_tui.console.terminal.updates import Terminal
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, wrapped

SECRET = "k3y-of-the-application"


class SafeText(App[None]):
    """A screen with one widget."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self._widget = widget

    def compose(self) -> ComposeResult:
        yield self._widget


def text_of(picture: Picture) -> str:
    return "\n".join("".join(line.texts).rstrip() for line in picture.lines)


async def drawn(widget: Widget, lines: Iterable[Line] = (), theme: str = "textual-dark") -> Picture:
    """What the driver gets to draw of a widget."""
    app = SafeText(widget)
    app.theme = theme
    async with app.run_test(size=(60, 24)) as pilot:
        if isinstance(widget, Sheet):
            widget.show(list(lines))
            widget.focus()
        await pilot.pause()
        update = app.screen._compositor.render_update(full=True)
        assert update is not None
        picture = Picture()
        picture.draw(update.render_segments(app.console))
    return picture


@pytest.mark.parametrize("at", [0, 1], ids=["under the cursor", "beside it"])
@pytest.mark.parametrize("theme", ["textual-dark", "ansi-dark"])
async def test_a_revealed_field_is_masked_in_a_recording_and_not_on_the_terminal(at: int, theme: str) -> None:
    lines = [Line("field", "Secret", SECRET, "a note", secret=True), Line("field", "Name", "Campus", key="b")]
    picture = await drawn(Sheet(), lines[::-1] if at else lines, theme)
    assert SECRET in text_of(picture)
    masked = text_of(picture.masked())
    assert SECRET not in masked and "Secret    ••••••••" in masked and "a note" in masked and "Campus" in masked
    sent = Terminal().show(picture)
    assert SECRET in sent and "\x1b]8" not in sent
    assert SECRET not in Terminal().show(picture.masked())


async def test_every_line_of_a_long_secret_is_masked() -> None:
    secret = "0123456789abcdef" * 8
    lines = wrapped(Line("field", "Secret", secret, secret=True), 40)
    masked = text_of((await drawn(Sheet(), [*lines, Line("text", value="-----KEY", secret=True)])).masked())
    assert masked.count("••••••••") == len(lines) + 1 > 3
    assert not any(part in masked for part in ("0123", "cdef", "KEY"))


async def test_what_a_dialog_shows_once_is_masked() -> None:
    assert text_of((await drawn(SecretText(SECRET))).masked()).strip() == "••••••••"
    code = await drawn(QrPicture("otpauth://totp/x?secret=ABC", secret=True))
    assert "█" in text_of(code) and not set(text_of(code.masked())) - set("• \n")
    assert "█" in text_of((await drawn(QrPicture("https://example.com"))).masked())
