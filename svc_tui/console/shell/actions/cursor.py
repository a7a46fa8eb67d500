"""Moving the cursor, panes and pages."""

from __future__ import annotations

from svc_tui.console.core.actions import Action
from svc_tui.console.core.resource import Context

FORM = frozenset({"form"})


def _move(name: str, keys: tuple[str, ...], help: str, by: int) -> Action:
    return Action(name, keys, help, help, lambda context: context.view.move(by), group="Move")


def _field(name: str, keys: tuple[str, ...], help: str, by: int) -> Action:
    return Action(name, keys, help, help, lambda context: context.view.move(by), group="Move", views=FORM)


def _home(context: Context) -> None:
    context.view.home()


def _end(context: Context) -> None:
    context.view.end()


ACTIONS = (
    _move("down", ("down", "j"), "Next line", 1),
    _move("up", ("up", "k"), "Previous line", -1),
    Action("top", ("g", "home"), "Top", "First line", _home, group="Move"),
    Action("bottom", ("G", "end"), "Bottom", "Last line", _end, group="Move"),
    Action("page_down", ("pgdn", "ctrl+f"), "Page down", "Next page", lambda c: c.view.page(1), "Move"),
    Action("page_up", ("pgup", "ctrl+u"), "Page up", "Previous page", lambda c: c.view.page(-1), "Move"),
    Action("next_pane", ("tab",), "Next pane", "Next pane or page", lambda c: c.view.next_pane(), "Move"),
    _field("next_field", ("down", "tab"), "Next field", 1),
    _field("previous_field", ("up", "shift+tab"), "Previous field", -1),
    Action("next_fields", ("pgdn",), "Page down", "Next page of fields", lambda c: c.view.page(1), "Move", FORM),
    Action("previous_fields", ("pgup",), "Page up", "Previous page of fields", lambda c: c.view.page(-1), "Move", FORM),
)
