"""Filter and sort."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from string import ascii_letters, digits

from svc_tui.console.core.actions import LIST, Action
from svc_tui.console.core.resource import Context
from svc_tui.console.shell.actions.records import list_of
from svc_tui.console.widgets.bars import Piece


def _filter(context: Context) -> None:
    view = list_of(context)
    context.stage.open_prompt("/", view.filter_text, complete=view.filter_candidates, select=True)


async def _filter_form(context: Context) -> None:
    from svc_tui.console.editing.record_edit import filter_form

    await context.stage.show(await filter_form(context))


def _sort_by(field: str, context: Context) -> None:
    list_of(context).sort_by(field)


def _sort(context: Context) -> None:
    view = list_of(context)
    letters = view.sort_letters()
    none = partial(context.stage.say, "Sort: no column begins with that letter", "warn")
    actions: dict[str, Callable[[], None]] = dict.fromkeys((*ascii_letters, *digits), none)
    for letter, (field, _) in letters.items():
        actions[letter] = partial(_sort_by, field, context)
    said = [Piece(" sort by   ", "accent")]
    for letter, (_, title) in letters.items():
        said += [Piece(letter, "key"), Piece(f" {title}   ")]
    context.stage.await_key(actions, said)


async def _export(context: Context) -> None:
    from svc_tui.console.editing.exporting import export_list

    await export_list(context)


ACTIONS = (
    Action(
        "export",
        ("W",),
        "Export",
        "Write the list as it is shown to a file, as CSV or JSON",
        _export,
        "Find",
        LIST,
    ),
    Action(
        "filter",
        ("/",),
        "Filter",
        "Filter: text, !text excludes, ~text fuzzy, field:text one column",
        _filter,
        "Find",
        LIST,
        footer=80,
    ),
    Action("filter_form", ("F",), "All filters", "Every filter that the service knows", _filter_form, "Find", LIST),
    Action(
        "sort",
        ("s",),
        "Sort",
        "Sort by the column of the next key; the same again turns the order",
        _sort,
        "Find",
        LIST,
    ),
    Action(
        "sort_left",
        ("<",),
        "Sort left",
        "Sort by the column to the left",
        lambda c: list_of(c).sort_step(-1),
        "Find",
        LIST,
    ),
    Action(
        "sort_right",
        (">",),
        "Sort right",
        "Sort by the column to the right",
        lambda c: list_of(c).sort_step(1),
        "Find",
        LIST,
    ),
)
