"""The way to a field of a form: in a long form, a filter."""

from __future__ import annotations

from svc_tui.console.core.actions import FORM, Action
from svc_tui.console.core.resource import Context
from svc_tui.console.views import long_form
from svc_tui.console.widgets.prompt import FILTER, PromptRequest


def _long_form(context: Context) -> long_form.LongFormView | None:
    return context.view if isinstance(context.view, long_form.LongFormView) else None


def _is_long(context: Context) -> bool:
    return _long_form(context) is not None


def _find(context: Context) -> None:
    view = _long_form(context)
    context.stage.open_prompt(PromptRequest(FILTER, view.filter_text if view else ""))


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
)
