"""What is done with the faulty rows of a directory file or of a report: mended, checked again, saved, imported."""

from __future__ import annotations

from svc_tui.console.actions import Context
from svc_tui.console.views.doctor import DoctorView
from svc_tui.workspace.directory.doctor import Doctor
from svc_tui.workspace.directory.target import Target


async def open_doctor(context: Context, doctor: Doctor, target: Target | None = None) -> None:
    """Show what is wrong with the rows of a file or of a report.

    Without a target it is the directory of the company that the present place belongs to.
    """
    from svc_tui.console.resources.directory import DIRECTORY

    unicode = context.frame.console.terminal.unicode
    view = DoctorView(context.view.place, DIRECTORY, doctor, target or target_here(context), unicode=unicode)
    await context.frame.show(view)


def target_here(context: Context) -> Target:
    """The directory of the company under the cursor or above the present place, else of the own company."""
    caller, record = context.workspace.caller, context.record or {}
    if context.kind == "companies" and record.get("id"):
        return Target("replace", str(record["id"]), str(record.get("name") or ""), str(record.get("country") or ""))
    own = caller.company_id if caller else ""
    return Target("replace", context.view.place.parents.get("companies") or own)
