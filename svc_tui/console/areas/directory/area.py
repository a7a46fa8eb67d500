"""The area directory, as the console registers it: its number on the start page, and its task of the tour."""

from __future__ import annotations

from svc_tui.console.areas.directory import company_overview, entries, import_resource
from svc_tui.console.core.area import Area
from svc_tui.console.core.dialog_keys import PROMPT_KEYS
from svc_tui.console.core.home import Attention, Number, SharedReads, SuggestedTask, since
from svc_tui.console.core.resource import RelatedList
from svc_tui.console.core.tour import ActionKey, Step, Text, TourTask
from svc_tui.console.dialogs.messages import Question
from svc_tui.interface.texts import counted
from svc_tui.language import _


async def failed_rows(reads: SharedReads) -> Number:
    """The number of rows that failed in the last import of the caller's company."""
    caller = reads.workspace.caller
    company = caller.company_id if caller else ""
    body = await reads.read("get_company_import_status", {"companyId": company}, {})
    report = body.get("data") or {}
    return Number(int(report.get("failed") or 0), age=since(report.get("startTime"), reads.workspace.now()))


_GO = PROMPT_KEYS[0]
_YES = Question.KEYS[0]

TASK = TourTask(
    _("correct a file of contacts"),
    (
        Step(
            _("{goto} goes anywhere: here to the last import, which failed."),
            (ActionKey("goto"), Text("directory"), _GO),
            "Contacts of the spring fair",
        ),
        Step(_("{directory.report} opens its report."), (ActionKey("directory.report"),), _("Rows with errors")),
        Step(
            _("{directoryreports.doctor} opens the failed rows in the import doctor."),
            (ActionKey("directoryreports.doctor"),),
            counted(20, "row"),
        ),
        Step(
            _("It suggests corrections. {directory.apply_all_suggestions} applies all of them."),
            (ActionKey("directory.apply_all_suggestions"),),
            "✓",
        ),
        Step(
            _("The others need a decision. {directory.leave} leaves the doctor."),
            (ActionKey("directory.leave"),),
            _("Leave the import doctor?"),
        ),
        Step(_("{question.yes} leaves it; nothing was imported."), (_YES,), _("Rows with errors")),
    ),
)


AREA = Area(
    title=_("Directories"),
    resources=(
        *import_resource.RESOURCES,
        *entries.RESOURCES,
    ),
    actions=(
        *import_resource.ACTIONS,
        *entries.ACTIONS,
    ),
    attention=(
        Attention(
            one=_("row of the last directory import failed"),
            several=_("rows of the last directory import failed"),
            place="directory",
            count=failed_rows,
        ),
    ),
    tasks=(
        SuggestedTask(
            text=_("Check a file of contacts before it is imported"),
            place="directory",
            operation="check_company_directory_csv",
        ),
    ),
    tour=TASK,
    overview={"companies": company_overview.SECTIONS},
    related={
        "companies": (
            RelatedList("A", "directoryentries", "Directory"),
            RelatedList("D", "directory", "Directory import"),
        ),
    },
)
