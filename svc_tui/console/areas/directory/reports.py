"""Reports on imports and checks of directories: the actions that open them, and their own actions (4.9)."""

from __future__ import annotations

from svc_tui.console.areas.directory import directory_view, report_actions, report_view
from svc_tui.console.areas.directory.names import DIRECTORY_NAME, REPORTS_NAME, WRITE_REPORT, actions_of
from svc_tui.console.core.resource import Context
from svc_tui.language import _

_VIEWS = frozenset({"report"})


async def _check_of_command(context: Context) -> None:
    await report_actions.open_of_command(context, check=True)


def _view(context: Context) -> report_view.ReportView | None:
    return context.view if isinstance(context.view, report_view.ReportView) else None


def _is_report(context: Context) -> bool:
    return _view(context) is not None


def _is_place(context: Context) -> bool:
    return isinstance(context.view, directory_view.DirectoryView)


#: An action of a report.
_of = actions_of(REPORTS_NAME, group="Report", views=_VIEWS, resource=REPORTS_NAME, belongs=_is_report)
#: An action of the place of imports that opens a report.
_at = actions_of(DIRECTORY_NAME, group="Reports", views=_VIEWS, resource=DIRECTORY_NAME, belongs=_is_place)


def _never_imported(context: Context) -> str:
    view = context.view
    return _("no import yet") if isinstance(view, directory_view.DirectoryView) and view.nothing_yet else ""


def _everything(context: Context) -> None:
    if view := _view(context):
        view.show_everything()


def _no_report(context: Context) -> str:
    view = _view(context)
    return "" if view is not None and view.report else _("no report")


def _no_rows(context: Context) -> str:
    view = _view(context)
    if view is None or not view.failed:
        return _("no rows with errors")
    return "" if view.report.get("csvHeaders") else _("the report does not contain the first line of the file")


def _why_kept(context: Context) -> str:
    view = _view(context)
    if view is None or not view.report:
        return _("no report")
    return "" if view.source.delete else _("reports of commands cannot be deleted")


def _delete_operation(context: Context) -> str:
    view = _view(context)
    return view.source.delete if view is not None else ""


def _no_command(context: Context) -> str:
    view = _view(context)
    is_import = view is not None and view.source.command and not view.source.check
    return "" if is_import else _("only for reports of commands")


ACTIONS = (
    _at(
        "report",
        "enter",
        _("Report"),
        _("Show the report on the import under the cursor"),
        report_actions.open_under_cursor,
        5,
        _never_imported,
    ),
    _at(
        "report_ldap",
        "l",
        "LDAP",
        _("Show the report of an LDAP configuration"),
        report_actions.open_of_ldap,
        50,
    ),
    _at(
        "report_command",
        "o",
        _("Command report"),
        _("Show the report of a command"),
        report_actions.open_of_command,
        60,
    ),
    _at("report_check", "O", _("Command check"), _("Show the report on the check by a command"), _check_of_command, 0),
    _of(
        "doctor",
        ("enter", "o"),
        _("Doctor"),
        _("Correct the failed rows"),
        report_actions.to_doctor,
        10,
        _no_rows,
    ),
    _of(
        "everything",
        "a",
        _("All rows"),
        _("Switch between all rows and rows with errors"),
        _everything,
        20,
        _no_report,
    ),
    _of(
        "save",
        "s",
        _("Save CSV"),
        _("Save the report as CSV, with one line per error"),
        report_actions.save,
        30,
        _no_report,
    ),
    _of(
        "copy",
        "y",
        _("Copy text"),
        _("Copy the report as text for a ticket"),
        report_actions.copy_ticket,
        40,
        _no_report,
    ),
    _of(
        "text",
        "t",
        _("Save text"),
        _("Save the report as text for a ticket"),
        report_actions.save_ticket,
        45,
        _no_report,
    ),
    _of(
        "write",
        "w",
        _("Write"),
        _("Write the report of a command by hand"),
        report_actions.write,
        50,
        _no_command,
        operation=WRITE_REPORT,
    ),
    _of(
        "delete",
        ("x", "delete"),
        _("Delete"),
        _("Delete the report; an import in progress is stopped"),
        report_actions.delete,
        60,
        _why_kept,
        operation=_delete_operation,
    ),
)
