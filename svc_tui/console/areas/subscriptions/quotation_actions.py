"""Actions that open the quotation workbench, and actions for its alternatives."""

from __future__ import annotations

from collections.abc import Callable

from svc_tui.console.areas.subscriptions import order, quotation, quotation_view
from svc_tui.console.areas.subscriptions.cells import model as model_text
from svc_tui.console.core.actions import FORM, RECORDS, Action, always_possible
from svc_tui.console.core.resource import Context
from svc_tui.console.views import form
from svc_tui.console.widgets.formatting import choice
from svc_tui.interface.subscriptions import rules
from svc_tui.language import _

QUOTED = frozenset({"offers", "subscriptions", "overview"})
OPERATION = "create_quotation"
_PRICED = frozenset({"create_company_subscription", "update_company_subscription"})
HELP = _("Compare licences, terms and renewals with live quotations, and order")


def _is_quoted(context: Context) -> bool:
    return context.kind in QUOTED


def _why_not(context: Context) -> str:
    """Why the record has no quotation."""

    record = context.record or {}
    if record.get("status") in ("terminated", "terminating", "failed"):
        return _("the subscription is {status}").format(status=choice(record["status"]))
    model = record.get("businessModel")
    return (
        _("offers with the model {model} cannot be quoted").format(model=model_text(model))
        if model and model not in rules.QUOTED
        else ""
    )


def _in_form(context: Context) -> bool:
    return context.kind == "subscriptions"


def _form_why_not(context: Context) -> str:
    view = context.view
    sends = view.calls() if isinstance(view, form.FormView) else ()
    changes = any(call.operation in _PRICED for call in sends) or bool(
        isinstance(view, form.FormView) and view.form.before.get("id")
    )
    return "" if changes else _("this form orders nothing")


def _view(context: Context) -> quotation_view.QuotationView:
    return context.require_view(quotation_view.QuotationView)


def _step(by: int) -> Callable[[Context], None]:
    return lambda context: _view(context).switch(lambda: _view(context).bench.step(by))


def _add(copy: bool) -> Callable[[Context], None]:
    return lambda context: _view(context).switch(lambda: _view(context).bench.add(copy=copy))


def _drop(context: Context) -> None:
    _view(context).switch(_view(context).bench.drop)


def _full(context: Context) -> str:
    return (
        _("at most {most} alternatives").format(most=len(quotation.NAMES))
        if len(_view(context).bench.alternatives) >= len(quotation.NAMES)
        else ""
    )


def _single(context: Context) -> str:
    return "" if len(_view(context).bench.alternatives) > 1 else _("the last alternative cannot be removed")


def _alone(context: Context) -> str:
    return "" if len(_view(context).bench.alternatives) > 1 else _("there is only one alternative")


def _alternative(
    name: str,
    keys: tuple[str, ...],
    label: str,
    help: str,
    run: Callable[[Context], None],
    footer: int,
    possible: Callable[[Context], str] = always_possible,
) -> Action:
    """An action of the workbench."""
    return Action(
        name=f"quotations.{name}",
        keys=keys,
        label=label,
        help=help,
        run=run,
        group="Form",
        views=FORM,
        resource="quotations",
        operation="",
        needs="nothing",
        possible=possible,
        footer=footer,
    )


ACTIONS = (
    Action(
        name="quote",
        keys=("u",),
        label="Quote",
        help=HELP,
        run=order.open_workbench,
        group="Change",
        views=RECORDS,
        operation=OPERATION,
        needs="record",
        possible=_why_not,
        belongs=_is_quoted,
        footer=35,
    ),
    Action(
        name="quote_form",
        keys=("f4",),
        label="Quote",
        help="Quote the subscription with the values of this form",
        run=order.open_from_form,
        group="Form",
        views=FORM,
        operation=OPERATION,
        possible=_form_why_not,
        belongs=_in_form,
        in_footer=lambda context: not _form_why_not(context),
        footer=25,
    ),
    _alternative("next", ("tab",), _("Switch"), _("Choose the next alternative"), _step(1), 12, _alone),
    _alternative("previous", ("shift+tab",), _("Previous"), _("Choose the previous alternative"), _step(-1), 0, _alone),
    _alternative("copy", ("ctrl+d",), _("Duplicate"), _("Add a copy of this alternative"), _add(True), 22, _full),
    _alternative(
        "add", ("f5", "ctrl+n"), _("Add"), _("Add an alternative with today's values"), _add(False), 40, _full
    ),
    _alternative("drop", ("ctrl+x",), _("Remove"), _("Remove this alternative"), _drop, 41, _single),
)
