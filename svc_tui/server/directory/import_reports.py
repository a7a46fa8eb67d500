"""Reports of imports in the store: what begins an import again, and what its end leaves of it."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.directory.reports import ImportedEntry
from svc_tui.interface.directory.values import ImportState
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.directory.csv_rows import MOST_LISTED, CheckedRow
from svc_tui.server.directory.stored import Owner, StoredDirectory, StoredReport, StoredRow
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


async def report_of(store: Store, id: str) -> StoredReport | None:
    """A report; None when it was deleted."""
    return typed(StoredReport, await store.import_reports.get(id))


def report_lock(id: str) -> str:
    """The lock under which a report is read and changed, so that an import has one process."""
    return f"import report:{id}"


def owner_of(report: StoredReport) -> Owner:
    """The owner of the directory of an import. The report of a company names the user who imports, too."""
    return ("companyId", report.company_id) if report.company_id else ("userId", report.user_id or "")


async def remove_traces(store: Store, report: StoredReport, *, file: bool = True) -> None:
    """Remove what an import has stored for itself: its file, and the directory that it fills if it is not in use."""
    if file and report.source is not None:
        await store.import_files.remove(report.source.file)
    if report.directory:
        await remove_unless_live(store, report.directory)


async def remove_unless_live(store: Store, directory_id: str) -> None:
    """Remove a directory, unless it is in use."""
    directory = typed(StoredDirectory, await store.directories.get(directory_id))
    if directory is not None and not directory.live:
        await store.directory_entries.remove_all(Is("directory", directory_id))
        await store.directories.remove(directory_id)


async def start_over(store: Store, report: StoredReport, process: str | None) -> StoredReport:
    """Store a report as it was when its import began, with the process that imports; None: any can."""
    again = copied(report)
    await remove_traces(store, report, file=False)
    await store.imported_rows.remove_all(Is("report", report.id))
    again.created = again.updated = again.deleted = again.failed = 0
    again.state, again.process = ImportState.INITIALIZING, process
    del again.directory
    await store.import_reports.put(document_of(again))
    return again


async def end(store: Store, report: StoredReport) -> None:
    """Store the report of an import that ended, without the data for restarting it."""
    await remove_traces(store, report)
    del report.source, report.directory
    await store.import_reports.put(document_of(report))


async def fail(store: Store, report: StoredReport, sentence: str, code: Code) -> None:
    """Mark an import as failed as a whole: no row counts, and row 0 has the reason."""
    failed = copied(report)
    failed.created = failed.updated = failed.deleted = 0
    failed.failed, failed.state = 1, ImportState.FAILED
    reason = typed(StoredRow, {"id": f"{report.id}/{0:09d}", "report": report.id, "number": 0, "status": "failed"})
    reason.error_details_code, reason.error_details = int(code), sentence
    await store.imported_rows.remove_all(Is("report", report.id))
    await store.imported_rows.add(document_of(reason))
    await end(store, failed)


def listed_rows(
    report_id: str, before: int, batch: Sequence[CheckedRow], results: Sequence[ImportedEntry]
) -> list[Document]:
    """The results of rows that a report lists: of those that failed all, of others the first ones. This many rows were
    `before` these."""
    listed = []
    for place, (checked, result) in enumerate(zip(batch, results, strict=True), before + 1):
        if place <= MOST_LISTED or result.status == "failed":
            number = checked.row.number
            listed.append(
                {
                    "id": f"{report_id}/{number:09d}",
                    "report": report_id,
                    "number": number,
                    "csvSource": checked.source,
                    **document_of(result),
                }
            )
    return listed
