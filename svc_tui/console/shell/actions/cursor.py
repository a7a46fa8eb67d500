"""Cursor movement, panes and pages."""

from __future__ import annotations

from svc_tui.console.core.actions import FORM, REPORT, Action
from svc_tui.console.core.resource import Context
from svc_tui.console.views.board_view import BoardView
from svc_tui.language import _

#: The kinds of views that may have a board.
BOARDS = REPORT | {"home"}


def _move(name: str, keys: tuple[str, ...], help: str, by: int) -> Action:
    return Action(
        name=name, keys=keys, label=help, help=help, run=lambda context: context.view.move(by), group="Move", moves=True
    )


def _field(name: str, keys: tuple[str, ...], help: str, by: int) -> Action:
    return Action(
        name=name, keys=keys, label=help, help=help, run=lambda context: context.view.move(by), group="Move", views=FORM
    )


def _on_board(context: Context) -> bool:
    return isinstance(context.view, BoardView)


def _step(name: str, keys: tuple[str, ...], label: str, help: str, by: int) -> Action:
    return Action(
        name=name,
        keys=keys,
        label=label,
        help=help,
        run=lambda context: context.require_view(BoardView).step(by),
        group="Move",
        views=BOARDS,
        belongs=_on_board,
        moves=True,
    )


def _home(context: Context) -> None:
    context.view.home()


def _end(context: Context) -> None:
    context.view.end()


ACTIONS = (
    _move("down", ("down", "j"), _("Next line"), 1),
    _move("up", ("up", "k"), _("Previous line"), -1),
    _step("right", ("right", "l"), _("To the right"), _("The next panel, or the next day of a chart"), 1),
    _step("left", ("left", "h"), _("To the left"), _("The previous panel, or the previous day of a chart"), -1),
    Action(name="top", keys=("g", "home"), label="Top", help="First line", run=_home, group="Move", moves=True),
    Action(name="bottom", keys=("G", "end"), label="Bottom", help="Last line", run=_end, group="Move", moves=True),
    Action(
        name="page_down",
        keys=("pgdn", "ctrl+f"),
        label="Page down",
        help="Next page",
        run=lambda c: c.view.page(1),
        group="Move",
        moves=True,
    ),
    Action(
        name="page_up",
        keys=("pgup", "ctrl+u"),
        label="Page up",
        help="Previous page",
        run=lambda c: c.view.page(-1),
        group="Move",
        moves=True,
    ),
    Action(
        name="next_pane",
        keys=("tab",),
        label="Next pane",
        help="Go to the next pane or page",
        run=lambda c: c.view.next_pane(),
        group="Move",
    ),
    _field("next_field", ("down", "tab"), _("Next field"), 1),
    _field("previous_field", ("up", "shift+tab"), _("Previous field"), -1),
    Action(
        name="next_fields",
        keys=("pgdn",),
        label="Page down",
        help="Next page of fields",
        run=lambda c: c.view.page(1),
        group="Move",
        views=FORM,
    ),
    Action(
        name="previous_fields",
        keys=("pgup",),
        label="Page up",
        help="Previous page of fields",
        run=lambda c: c.view.page(-1),
        group="Move",
        views=FORM,
    ),
)
