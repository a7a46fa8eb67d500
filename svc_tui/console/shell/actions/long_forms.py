"""Finding one of many settings, and looking at them with the eyes of another role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.console.core.actions import FORM, Action
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker

if TYPE_CHECKING:
    from svc_tui.console.views.settings import SettingsView


def _settings(context: Context) -> SettingsView | None:
    from svc_tui.console.views.settings import SettingsView

    return context.view if isinstance(context.view, SettingsView) else None


def _is_long(context: Context) -> bool:
    return _settings(context) is not None


def _short(context: Context) -> str:
    return "" if _is_long(context) else "this form is short"


def _find(context: Context) -> None:
    if view := _settings(context):
        context.stage.open_prompt("/", view.filter_text, select=True)


async def _lens(context: Context) -> None:
    from svc_tui.console.views.settings import SettingsView
    from svc_tui.interface.access import Role

    view = context.require_view(SettingsView)
    if view.lens is not None:
        view.look_as(None)
        return
    own = context.workspace.caller.roles if context.workspace.caller else frozenset()
    choices = [Choice(role.value, role.value, "your role" if role in own else "") for role in Role]
    chosen = await context.stage.ask(Picker("Role lens: what could this role set?", choices))
    if chosen is not None:
        view.look_as(Role(chosen))


ACTIONS = (
    Action(
        name="find_field",
        keys=("ctrl+f",),
        label="Find",
        help="Show only the fields that say a word, such as record",
        run=_find,
        group="Form",
        views=FORM,
        possible=_short,
        belongs=_is_long,
        footer=15,
    ),
    Action(
        name="role_lens",
        keys=("ctrl+r",),
        label="Role lens",
        help="See what another role could set; nothing can be changed meanwhile",
        run=_lens,
        group="Form",
        views=FORM,
        possible=_short,
        belongs=_is_long,
        footer=25,
    ),
)
