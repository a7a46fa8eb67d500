"""Actions of forms: the way to a field, and in long forms the filter and the role lens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.console.core.actions import FORM, Action
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.widgets.prompt import FILTER, PromptRequest
from svc_tui.interface.access import Role
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.console.views import long_form
else:
    long_form = lazy_import("svc_tui.console.views.long_form")


def _long_form(context: Context) -> long_form.LongFormView | None:
    return context.view if isinstance(context.view, long_form.LongFormView) else None


def _is_long(context: Context) -> bool:
    return _long_form(context) is not None


def _find(context: Context) -> None:
    view = _long_form(context)
    context.stage.open_prompt(PromptRequest(FILTER, view.filter_text if view else ""))


async def _lens(context: Context) -> None:
    view = context.require_view(long_form.LongFormView)
    if view.lens is not None:
        view.set_lens(None)
        return
    own = context.workspace.caller.roles if context.workspace.caller else frozenset()
    choices = [Choice(role.value, role.value, _("your role") if role in own else "") for role in Role]
    chosen = await context.stage.ask(Picker(_("Role lens"), choices))
    if chosen is not None:
        view.set_lens(Role(chosen))


ACTIONS = (
    Action(
        name="find_field",
        keys=("ctrl+f",),
        label="Filter",
        help="Filter fields by a word, for example “record”; in a short form, go to the field",
        run=_find,
        group="Form",
        views=FORM,
        footer=15,
        in_footer=_is_long,
    ),
    Action(
        name="role_lens",
        keys=("ctrl+r",),
        label="Role lens",
        help="Show what another role may set; the form is read-only",
        run=_lens,
        group="Form",
        views=FORM,
        belongs=_is_long,
        absent=_("this form is short, all its fields are shown"),
        footer=25,
    ),
)
