"""The screen itself: drawing it again, and saving it for a ticket."""

from __future__ import annotations

from functools import partial

from svc_tui.console.core.actions import READING, Action
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs import screen_file

_ALL = READING | {"form"}


def _redraw(context: Context) -> None:
    context.stage.repaint()


async def _save(context: Context, action: str) -> None:
    context.stage.show_message(*await context.stage.save_screen(context.view.place.kind, screen_file.ENDINGS[action]))


ACTIONS = (
    Action(
        name="redraw",
        keys=("ctrl+l",),
        label="Redraw",
        help="Redraw the screen",
        run=_redraw,
        group="Go",
        views=_ALL,
    ),
    Action(
        name="save_screen",
        keys=("f9",),
        label="Save screen",
        help="Save the screen as a picture (SVG) for a ticket; secrets are masked",
        run=partial(_save, action="save_screen"),
        group="Go",
        views=_ALL,
    ),
    Action(
        name="save_screen_text",
        keys=("f8",),
        label="Save as text",
        help="Save the screen as text for a ticket; secrets are masked",
        run=partial(_save, action="save_screen_text"),
        group="Go",
        views=_ALL,
    ),
)
