"""Directory files: the way to their import, and what the import doctor can do (4.9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from svc_tui.console.areas.directory.names import DIRECTORY_NAME, ROWS, of_company
from svc_tui.console.core.actions import REPORT, Action, Run, always_possible
from svc_tui.console.core.resource import Context, Display, Placement, Resource, managed
from svc_tui.interface.data import RecordData
from svc_tui.workspace.kinds.kind import Kind

if TYPE_CHECKING:
    from svc_tui.console.areas.directory.doctor_view import DoctorView
    from svc_tui.console.core.places import Place
    from svc_tui.console.views.view import View
    from svc_tui.workspace.workspace import Workspace

_SEND, _CHECK = "import_directory_csv", "check_company_directory_csv"
_SEND_OWN, _SEND_COMMAND = "import_personal_directory_csv", "import_directory_csv_synchronize"


def _doctor(context: Context) -> DoctorView:
    from svc_tui.console.areas.directory.doctor_view import DoctorView

    return context.require_view(DoctorView)


def _is_doctor(context: Context) -> bool:
    from svc_tui.console.areas.directory.doctor_view import DoctorView

    return isinstance(context.view, DoctorView)


def _edit(context: Context) -> None:
    _doctor(context).edit()


def _edit_alike(context: Context) -> None:
    _doctor(context).edit(alike=True)


def _propose(context: Context) -> None:
    _doctor(context).take_proposal()


def _propose_all(context: Context) -> None:
    view = _doctor(context)
    count = view.take_proposal(everywhere=True)
    context.stage.say(f"Written into {count:,} {'row' if count == 1 else 'rows'}: what was proposed.", "ok")


def _no_proposal(context: Context) -> str:
    fault = _doctor(context).fault
    return "" if fault is not None and fault.proposal else "nothing is proposed for this cell"


def _no_proposals(context: Context) -> str:
    return "" if _doctor(context).doctor.has_proposals else "nothing is proposed"


def _step(by: int) -> Callable[[Context], None]:
    return lambda context: _doctor(context).step(by)


def _jump(by: int) -> Callable[[Context], None]:
    def jump(context: Context) -> None:
        if not _doctor(context).jump(by):
            context.stage.say("That was the last fault." if by > 0 else "That was the first fault.", "warn")

    return jump


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
    run: Run | str,
    footer: int = 0,
    possible: Callable[[Context], str] = always_possible,
) -> Action:
    """An action of the doctor alone."""
    return Action(
        name=f"directory.{name}",
        keys=keys,
        label=label,
        help=help,
        run=run,
        group="Doctor",
        views=REPORT,
        resource=ROWS,
        possible=possible,
        footer=footer,
        belongs=_is_doctor,
    )


def _view(place: Place, workspace: Workspace, known: RecordData | None) -> View:
    from svc_tui.console.areas.directory.directory_view import DirectoryView

    return DirectoryView(place, DIRECTORY, workspace)


def _unchanged(context: Context) -> str:
    row = _doctor(context).row
    return "" if row is not None and row.changed else "nothing was done to this row"


def _no_faults(context: Context) -> str:
    return "" if _doctor(context).doctor.left else "no row is wrong"


def _nothing_to_save(context: Context) -> str:
    doctor = _doctor(context).doctor
    return "" if doctor.differs or doctor.path is None else "nothing was mended"


def _refused(context: Context, operation_id: str) -> str:
    """Why the role does not allow an operation on the directory that is meant."""
    caller, target = context.workspace.caller, _doctor(context).target
    if caller is None or not context.stage.declared:
        return ""
    subject = None if target.purpose == "personal" else managed(target.company_id, caller)
    return context.workspace.decide(operation_id, subject).reason


def _cannot_check(context: Context) -> str:
    view = _doctor(context)
    if view.doctor.path is None and not view.doctor.rows:
        return "there are no rows"
    return _refused(context, view.target.operations.check)


def _cannot_import(context: Context) -> str:
    view = _doctor(context)
    if view.doctor.path is None:
        return "these are the rows of a report: o imports them alone"
    if view.target.purpose == "check":
        return "the file was opened to be checked only"
    if not view.doctor.total:
        return "the file has no rows"
    return _refused(context, view.target.operations.send)


def _cannot_import_mended(context: Context) -> str:
    view = _doctor(context)
    if view.target.purpose == "check":
        return "the file was opened to be checked only"
    if not any(not row.faults and row.number not in view.imported for row in view.doctor.rows):
        return "no row that was wrong is right by now"
    return _refused(context, "create_directory_entry")


#: What the doctor can do.
_DOCTOR = (
    _in_doctor("edit", ("enter", "e"), "Edit", "Edit the cell in its place", _edit, 10, _no_cell),
    _in_doctor("alike", ("a",), "All alike", "Edit this cell and all like it at once", _edit_alike, 20, _no_cell),
    _in_doctor(
        "propose",
        ("p",),
        "Proposal",
        "Write what is proposed into this cell and all like it",
        _propose,
        25,
        _no_proposal,
    ),
    _in_doctor(
        "propose_all", ("P",), "All proposals", "Write what is proposed wherever it is", _propose_all, 0, _no_proposals
    ),
    _in_doctor("next", ("n", "]"), "Next fault", "Go to the next fault", _jump(1), 30),
    _in_doctor("previous", ("N", "["), "Previous fault", "Go to the fault before", _jump(-1)),
    _in_doctor("right", ("right", "l"), "Next cell", "Go to the next cell of the row", _step(1)),
    _in_doctor("left", ("left", "h"), "Previous cell", "Go to the cell before", _step(-1)),
    _in_doctor(
        "kinds",
        ("f",),
        "Kinds",
        "The kinds of faults: show the rows of one",
        "areas.directory.doctor_actions:choose_kind",
        60,
        _no_faults,
    ),
    _in_doctor(
        "retype", ("t",), "Type row", "Type the whole row anew", "areas.directory.doctor_actions:retype", 0, _no_row
    ),
    _in_doctor(
        "restore",
        ("z",),
        "Restore",
        "Take back what was done to this row",
        "areas.directory.doctor_actions:restore",
        0,
        _unchanged,
    ),
    _in_doctor(
        "copy",
        ("y",),
        "Copy",
        "Copy the row and what is wrong with it",
        "areas.directory.doctor_actions:copy_row",
        0,
        _no_row,
    ),
    _in_doctor(
        "check",
        ("c",),
        "Check again",
        "Have the service check all of it",
        "areas.directory.doctor_actions:check_again",
        70,
        _cannot_check,
    ),
    _in_doctor(
        "save",
        ("s",),
        "Save",
        "Save the corrected file beside the original",
        "areas.directory.doctor_actions:save",
        40,
        _nothing_to_save,
    ),
    _in_doctor(
        "import",
        ("i",),
        "Import",
        "Import the file as it is by now",
        "areas.directory.send:import_all",
        50,
        _cannot_import,
    ),
    _in_doctor(
        "mended",
        ("o",),
        "Import mended",
        "Import only the rows that had failed and are right by now",
        "areas.directory.send:import_mended",
        55,
        _cannot_import_mended,
    ),
    _in_doctor(
        "leave",
        ("esc", "backspace", "q"),
        "Back",
        "Back; what is mended and not saved is asked about",
        "areas.directory.doctor_actions:leave",
    ),
)


async def _check_file(context: Context) -> None:
    from svc_tui.console.areas.directory.import_flow import import_file

    await import_file(context, purpose="check")


async def _own_file(context: Context) -> None:
    from svc_tui.console.areas.directory.import_flow import import_file

    await import_file(context, purpose="personal")


def _is_place(context: Context) -> bool:
    from svc_tui.console.areas.directory.directory_view import DirectoryView

    return isinstance(context.view, DirectoryView)


def _at_place(
    name: str,
    key: str,
    label: str,
    help: str,
    run: Run | str,
    operation: str,
    footer: int,
) -> Action:
    """An action of the place of imports."""
    return Action(
        name=f"directory.{name}",
        keys=(key,),
        label=label,
        help=help,
        run=run,
        group="Directory",
        views=REPORT,
        resource=DIRECTORY_NAME,
        operation=operation,
        footer=footer,
        belongs=_is_place,
    )


_PLACE = (
    _at_place(
        "from_file",
        "i",
        "Import",
        "Import a CSV file: it is checked first",
        "areas.directory.import_flow:import_file",
        _SEND,
        10,
    ),
    _at_place("check_file", "c", "Check", "Check a CSV file; nothing is changed", _check_file, _CHECK, 20),
    _at_place("own_file", "p", "Personal", "Import a CSV file into your own directory", _own_file, _SEND_OWN, 30),
    _at_place(
        "by_command",
        "m",
        "By command",
        "Import the CSV file of a command",
        "areas.directory.import_flow:import_for_command",
        _SEND_COMMAND,
        40,
    ),
)

DIRECTORY = Resource(
    kind=Kind(DIRECTORY_NAME, "get_company_import_status", "get_company_import_status"),
    title="Directory import",
    singular="import",
    aliases=("import",),
    display=Display(
        columns=(),
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
