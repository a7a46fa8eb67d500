"""Directory imports: the actions of their place and of the import doctor (4.9)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from svc_tui.console.areas.directory import directory_view, doctor_actions, doctor_view, import_flow, send
from svc_tui.console.areas.directory.names import DIRECTORY_NAME, ROWS, actions_of, of_company
from svc_tui.console.core.actions import REPORT, Action
from svc_tui.console.core.resource import Context, Display, Placement, Resource, managed
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.kinds.kind import Kind

if TYPE_CHECKING:
    from svc_tui.console.core.places import Place
    from svc_tui.console.views.view import View
    from svc_tui.workspace.workspace import Workspace

_SEND, _CHECK = "import_directory_csv", "check_company_directory_csv"
_SEND_OWN, _SEND_COMMAND = "import_personal_directory_csv", "import_directory_csv_synchronize"


def _doctor(context: Context) -> doctor_view.DoctorView:
    return context.require_view(doctor_view.DoctorView)


def _is_doctor(context: Context) -> bool:
    return isinstance(context.view, doctor_view.DoctorView)


def _edit(context: Context) -> None:
    _doctor(context).edit()


def _edit_alike(context: Context) -> None:
    _doctor(context).edit(alike=True)


def _apply_suggestion(context: Context) -> None:
    _doctor(context).apply_suggestion()


def _apply_all_suggestions(context: Context) -> None:
    view = _doctor(context)
    count = view.apply_suggestion(everywhere=True)
    context.stage.show_message(_("Applied suggestions to {rows}.").format(rows=counted(count, "row")), "ok")


def _no_suggestion(context: Context) -> str:
    fault = _doctor(context).fault
    return "" if fault is not None and fault.suggestion else _("no suggestion for this cell")


def _no_suggestions(context: Context) -> str:
    return "" if _doctor(context).doctor.has_suggestions else _("no suggestions")


def _step(by: int) -> Callable[[Context], None]:
    return lambda context: _doctor(context).step(by)


def _jump(by: int) -> Callable[[Context], None]:
    def jump(context: Context) -> None:
        if not _doctor(context).jump(by):
            context.stage.show_message(_("No more errors below.") if by > 0 else _("No more errors above."), "warn")

    return jump


def _no_row(context: Context) -> str:
    return "" if _doctor(context).row is not None else _("no rows")


def _has_rows(context: Context) -> bool:
    return _is_doctor(context) and bool(_doctor(context).doctor.rows)


def _no_cell(context: Context) -> str:
    if _no_row(context) or _doctor(context).whole:
        return _no_row(context)
    return context.with_keys(_("wrong number of values, {directory.retype} retypes the row"))


#: An action of the doctor; one that corrects stands in the footer only while there are rows to correct.
_in_doctor = actions_of("directory", group="Doctor", views=REPORT, resource=ROWS, belongs=_is_doctor)
_correcting = partial(_in_doctor, in_footer=_has_rows)


def _view(place: Place, workspace: Workspace, known: RecordData | None) -> View:
    return directory_view.DirectoryView(place, DIRECTORY, workspace)


def _unchanged(context: Context) -> str:
    row = _doctor(context).row
    return "" if row is not None and row.changed else _("this row is unchanged")


def _no_faults(context: Context) -> str:
    return "" if _doctor(context).doctor.left else _("no rows with errors")


def _nothing_to_save(context: Context) -> str:
    doctor = _doctor(context).doctor
    return "" if doctor.differs or doctor.path is None else _("nothing was changed")


def _refused(context: Context, operation_id: str) -> str:
    """Why the role does not allow an operation on the target directory."""
    caller, target = context.workspace.caller, _doctor(context).target
    if caller is None or not context.stage.declared:
        return ""
    subject = None if target.purpose == "personal" else managed(target.company_id, caller)
    return context.workspace.decide(operation_id, subject).reason


def _cannot_check(context: Context) -> str:
    view = _doctor(context)
    if view.doctor.path is None and not view.doctor.rows:
        return _("no rows")
    return _refused(context, view.target.operations.check)


def _cannot_import(context: Context) -> str:
    view = _doctor(context)
    if view.doctor.path is None:
        return _("the rows of a report are imported without the rest of the file")
    if view.target.purpose == "check":
        return _("the file was opened for a check only")
    if not view.doctor.total:
        return _("the file has no rows")
    if not view.doctor.right:
        return _("no row is correct")
    return _refused(context, view.target.operations.send)


def _cannot_import_corrected(context: Context) -> str:
    view = _doctor(context)
    if view.target.purpose == "check":
        return _("the file was opened for a check only")
    if not view.corrections.ready:
        return _("no corrected rows")
    return _refused(context, "create_directory_entry")


#: The actions of the doctor.
_DOCTOR = (
    _correcting(
        "edit",
        ("enter", "e"),
        _("Edit"),
        _("Edit the cell"),
        _edit,
        10,
        _no_cell,
    ),
    _correcting(
        "edit_equal",
        "a",
        _("Edit equal"),
        _("Edit this cell and all equal cells"),
        _edit_alike,
        65,
        _no_cell,
    ),
    _correcting(
        "apply_suggestion",
        "p",
        _("Apply suggestion"),
        _("Apply the suggestion to this cell and all equal cells"),
        _apply_suggestion,
        25,
        _no_suggestion,
    ),
    _in_doctor(
        "apply_all_suggestions",
        "P",
        _("Apply all"),
        _("Apply all suggestions"),
        _apply_all_suggestions,
        0,
        _no_suggestions,
    ),
    _correcting(
        "next",
        ("n", "]"),
        _("Next error"),
        _("Go to the next error"),
        _jump(1),
        30,
    ),
    _in_doctor("previous", ("N", "["), _("Previous error"), _("Go to the previous error"), _jump(-1)),
    _in_doctor("right", ("right", "l"), _("Next cell"), _("Go to the next cell of the row"), _step(1)),
    _in_doctor("left", ("left", "h"), _("Previous cell"), _("Go to the previous cell of the row"), _step(-1)),
    _in_doctor(
        "kinds",
        "f",
        _("Filter"),
        _("Filter the rows by a kind of error"),
        doctor_actions.choose_kind,
        60,
        _no_faults,
    ),
    _in_doctor(
        "retype",
        "t",
        _("Retype row"),
        _("Retype the whole row"),
        doctor_actions.retype,
        0,
        _no_row,
    ),
    _in_doctor(
        "restore",
        "z",
        _("Restore"),
        _("Undo the corrections of this row"),
        doctor_actions.restore,
        0,
        _unchanged,
    ),
    _in_doctor(
        "copy",
        "y",
        _("Copy"),
        _("Copy the row and its errors"),
        doctor_actions.copy_row,
        0,
        _no_row,
    ),
    _in_doctor(
        "check",
        "c",
        _("Check again"),
        _("Check all rows on the service"),
        doctor_actions.check_again,
        70,
        _cannot_check,
    ),
    _in_doctor(
        "save",
        "s",
        _("Save"),
        _("Save the corrected file beside the original"),
        doctor_actions.save,
        52,
        _nothing_to_save,
    ),
    _in_doctor(
        "import",
        "i",
        _("Import"),
        _("Import the corrected file"),
        send.import_all,
        50,
        _cannot_import,
    ),
    _in_doctor(
        "import_corrected",
        "o",
        _("Import corrected"),
        _("Import only the corrected rows"),
        send.import_corrected,
        55,
        _cannot_import_corrected,
    ),
    _in_doctor(
        "leave",
        ("esc", "backspace", "q"),
        _("Back"),
        _("Go back; unsaved corrections are confirmed first"),
        doctor_actions.leave,
    ),
)


async def _check_file(context: Context) -> None:
    await import_flow.import_file(context, purpose="check")


async def _own_file(context: Context) -> None:
    await import_flow.import_file(context, purpose="personal")


def _is_place(context: Context) -> bool:
    return isinstance(context.view, directory_view.DirectoryView)


#: An action of the place of imports.
_at_place = actions_of("directory", group="Directory", views=REPORT, resource=DIRECTORY_NAME, belongs=_is_place)

_PLACE = (
    _at_place(
        "from_file",
        "i",
        _("Import"),
        _("Check and import a CSV file"),
        import_flow.import_file,
        10,
        operation=_SEND,
    ),
    _at_place(
        "check_file", "c", _("Check"), _("Check a CSV file without importing it"), _check_file, 20, operation=_CHECK
    ),
    _at_place(
        "own_file",
        "p",
        _("Personal"),
        _("Import a CSV file into your own directory"),
        _own_file,
        30,
        operation=_SEND_OWN,
    ),
    _at_place(
        "by_command",
        "m",
        _("By command"),
        _("Import the CSV file of a command"),
        import_flow.import_for_command,
        40,
        operation=_SEND_COMMAND,
    ),
)

DIRECTORY = Resource(
    kind=Kind(DIRECTORY_NAME, "get_company_import_status", "get_company_import_status"),
    title="Directory import",
    singular="import",
    aliases=("import",),
    display=Display(
        # They are drawn nowhere: `svc-tui wait` filters by them.
        columns=(
            Column(field="state", title="STATE"),
            Column(field="created", title="CREATED"),
            Column(field="updated", title="UPDATED"),
            Column(field="deleted", title="DELETED"),
            Column(field="failed", title="FAILED"),
        ),
        record_view=_view,
    ),
    placement=Placement(
        path={"companyId": "companies"},
        only="import",
    ),
    subject=of_company,
)

RESOURCES = (DIRECTORY,)

ACTIONS: tuple[Action, ...] = (
    *_DOCTOR,
    *_PLACE,
)
