"""Filter, sort and export."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from string import ascii_letters, digits

from svc_tui.console.core.actions import FORM, LIST, Action
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.columns import ColumnChoice
from svc_tui.console.editing import exporting, record_forms
from svc_tui.console.shell.actions.records import list_of
from svc_tui.console.views import long_form
from svc_tui.console.views.detail import DetailView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.console.widgets.prompt import FILTER, PromptRequest
from svc_tui.language import _


def _long_form(context: Context) -> long_form.LongFormView | None:
    return context.view if isinstance(context.view, long_form.LongFormView) else None


def _is_long(context: Context) -> bool:
    return _long_form(context) is not None


def _find_field(context: Context) -> None:
    view = _long_form(context)
    context.stage.open_prompt(PromptRequest(FILTER, view.filter_text if view else ""))


def _filter(context: Context) -> None:
    view = list_of(context)
    context.stage.open_prompt(PromptRequest(FILTER, view.filter_text, view.filter_candidates))


def _filter_fields(context: Context) -> None:
    context.stage.open_prompt(PromptRequest(FILTER, context.require_view(DetailView).edit_filter()))


async def _filter_form(context: Context) -> None:
    await context.stage.show(await record_forms.filter_form(context))


def _sort_by(field: str, context: Context) -> None:
    list_of(context).sort_by(field)


def _sort(context: Context) -> None:
    view = list_of(context)
    letters = view.sort_letters()
    none = partial(context.stage.show_message, _("No column begins with that letter."), "warn")
    actions: dict[str, Callable[[], None]] = dict.fromkeys((*ascii_letters, *digits), none)
    for letter, (field, __) in letters.items():
        actions[letter] = partial(_sort_by, field, context)
    question = [Piece(_(" sort by   "), "accent")]
    for letter, (__, title) in letters.items():
        question += [Piece(letter, "key"), Piece(f" {title}   ")]
    context.stage.await_key(actions, question)


async def _columns(context: Context) -> None:
    view = list_of(context)
    chosen = context.workspace.preferences.of(context.kind).columns
    title = _("Columns of {title}").format(title=title_in_sentence(context.require_resource().title))
    fields = await context.stage.ask(ColumnChoice(title, view.declared_columns, chosen))
    if fields is not None:
        view.show_columns(fields)


ACTIONS = (
    Action(
        name="find_field",
        keys=("ctrl+f",),
        label="Filter",
        help="Filter fields by a word, for example “record”; in a short form, go to the field",
        run=_find_field,
        group="Form",
        views=FORM,
        footer=15,
        in_footer=_is_long,
    ),
    Action(
        name="columns",
        keys=("|",),
        label="Columns",
        help="Choose and order the columns; they are also what is exported and copied",
        run=_columns,
        group="Find",
        views=LIST,
    ),
    Action(
        name="export",
        keys=("W",),
        label="Export",
        help="Export the list to a CSV, JSON or XLSX file",
        run=exporting.export_list,
        group="Find",
        views=LIST,
    ),
    Action(
        name="filter",
        keys=("/",),
        label="Filter",
        help="Filter by text in any column; for the syntax, see the end of the help",
        run=_filter,
        group="Find",
        views=LIST,
        footer=80,
        pinned=True,
    ),
    Action(
        name="wider_filter",
        keys=("~",),
        label="Wider filter",
        help="Where nothing matches, filter by the nearest writing that matches something",
        run=lambda context: list_of(context).take_offer(),
        group="Find",
        views=LIST,
        possible=lambda context: "" if list_of(context).offered else _("the filter has no wider writing that matches"),
    ),
    Action(
        name="filter_fields",
        keys=("/",),
        label="Filter",
        help="Show only the fields whose label or value contains a text",
        run=_filter_fields,
        group="Find",
        views=frozenset({"detail"}),
        footer=80,
    ),
    Action(
        name="filter_form",
        keys=("F",),
        label="All filters",
        help="All filters of the service in a form",
        run=_filter_form,
        group="Find",
        views=LIST,
    ),
    Action(
        name="sort",
        keys=("s",),
        label="Sort",
        help="Sort by the column of the next key; the same column again reverses",
        run=_sort,
        group="Find",
        views=LIST,
    ),
    Action(
        name="sort_left",
        keys=("<",),
        label="Sort left",
        help="Sort by the column to the left",
        run=lambda c: list_of(c).sort_step(-1),
        group="Find",
        views=LIST,
    ),
    Action(
        name="sort_right",
        keys=(">",),
        label="Sort right",
        help="Sort by the column to the right",
        run=lambda c: list_of(c).sort_step(1),
        group="Find",
        views=LIST,
    ),
)
