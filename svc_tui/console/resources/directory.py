"""Directory files: the way to their import, and what the import doctor can do (4.9)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from svc_tui.console.actions import Action, Context
from svc_tui.console.resource import Record, Resource, managed
from svc_tui.interface.access import Caller, Subject
from svc_tui.workspace.kinds import Kind

if TYPE_CHECKING:
    from svc_tui.console.places import Place
    from svc_tui.console.views.doctor import DoctorView
    from svc_tui.console.views.view import View
    from svc_tui.workspace.workspace import Workspace

DIRECTORY_NAME = "directory"
REPORT = frozenset({"report"})


def _doctor(context: Context) -> DoctorView:
    from svc_tui.console.views.doctor import DoctorView

    assert isinstance(context.view, DoctorView)
    return context.view


def _is_doctor(context: Context) -> bool:
    from svc_tui.console.views.doctor import DoctorView

    return isinstance(context.view, DoctorView)


def _edit(context: Context) -> None:
    _doctor(context).edit()


def _edit_alike(context: Context) -> None:
    _doctor(context).edit(alike=True)


def _step(by: int) -> Callable[[Context], None]:
    return lambda context: _doctor(context).step(by)


def _jump(by: int) -> Callable[[Context], None]:
    def jump(context: Context) -> None:
        if not _doctor(context).jump(by):
            context.frame.say("That was the last fault." if by > 0 else "That was the first fault.", "warn")

    return jump


def _always(context: Context) -> str:
    return ""


def _no_row(context: Context) -> str:
    return "" if _doctor(context).row is not None else "there is no row"


def _no_cell(context: Context) -> str:
    if _no_row(context) or _doctor(context).whole:
        return _no_row(context)
    return "the row has another number of values: t types it anew"


def _in_doctor(
    name: str,
    keys: tuple[str, ...],
    label: str,
    help: str,
    run: Callable[[Context], Awaitable[None] | None],
    footer: int = 0,
    possible: Callable[[Context], str] = _always,
) -> Action:
    """An action of the doctor alone."""
    return Action(
        f"directory.{name}",
        keys,
        label,
        help,
        run,
        "Doctor",
        REPORT,
        DIRECTORY_NAME,
        possible=possible,
        footer=footer,
        belongs=_is_doctor,
    )


def _subject(record: Record, caller: Caller) -> Subject:
    return managed(str(record.get("companyId") or caller.company_id), caller)


def _view(place: Place, workspace: Workspace, known: Record | None) -> View:
    from svc_tui.console.views.directory import DirectoryView

    return DirectoryView(place, DIRECTORY, workspace)


#: What the doctor can do.
ACTIONS = (
    _in_doctor("edit", ("enter", "e"), "Edit", "Edit the cell in its place", _edit, 10, _no_cell),
    _in_doctor("alike", ("a",), "All alike", "Edit this cell and all like it at once", _edit_alike, 20, _no_cell),
    _in_doctor("next", ("n", "]"), "Next fault", "Go to the next fault", _jump(1), 30),
    _in_doctor("previous", ("N", "["), "Previous fault", "Go to the fault before", _jump(-1)),
    _in_doctor("right", ("right", "l"), "Next cell", "Go to the next cell of the row", _step(1)),
    _in_doctor("left", ("left", "h"), "Previous cell", "Go to the cell before", _step(-1)),
)

DIRECTORY = Resource(
    kind=Kind(DIRECTORY_NAME, "get_company_import_status", "get_company_import_status"),
    title="Directory import",
    singular="import",
    aliases=("import",),
    columns=(),
    path={"companyId": "companies"},
    subject=_subject,
    only="import",
    record_view=_view,
    actions=ACTIONS,
)

RESOURCES = (DIRECTORY,)
