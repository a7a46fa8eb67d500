"""Export of a list or report to a file, which is written completely or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.cache.secrets import without_secrets
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.save import SaveBox
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files.downloads import first_path
from svc_tui.workspace.files.export import ExportFormat, RowSource, export
from svc_tui.workspace.lists.report_listing import ReportFile, ReportListing

if TYPE_CHECKING:
    from svc_tui.workspace.lists.listing import Listing


#: The ending of a file -> its format; others are CSV.
_FORMATS: dict[str, ExportFormat] = {".json": "json", ".xlsx": "xlsx"}


class _WithoutSecrets:
    """The rows of a list without secrets: exported files are passed on."""

    def __init__(self, listing: Listing, operation_id: str) -> None:
        self._listing, self._operation_id = listing, operation_id

    async def rows(self) -> AsyncIterator[dict[str, Any]]:
        async for row in self._listing.rows():
            yield without_secrets(self._operation_id, row)


async def export_list(context: Context) -> None:
    """Write all rows of the list, filtered and sorted, to a file: `.json` complete records, `.xlsx` a workbook of the
    columns, otherwise CSV."""

    view = context.require_view(ListView)
    if isinstance(view.listing, ReportListing):
        await _export_report(context, view.resource.title, view.listing)
        return
    columns = [
        name
        for each in view.resource.display.columns
        if each.looks_up is None
        for name in (*(each.exported or (each.field,)), *each.also)
    ]
    await export_rows(
        context, view.resource.title, _WithoutSecrets(view.listing, view.resource.list), list(dict.fromkeys(columns))
    )


async def export_rows(context: Context, title: str, rows: RowSource, columns: Sequence[str]) -> None:
    """Ask for a file, write all rows to it and report the result."""
    await _export(context, title, lambda form: (rows, columns))


async def _export_report(context: Context, title: str, listing: ReportListing) -> None:
    """Write the rows of a report as far as they are read, and report what is missing."""

    def source(form: ExportFormat) -> tuple[RowSource, Sequence[str]]:
        file = ReportFile(listing, names=form == "json")
        return file, file.columns

    await _export(context, title, source, lambda: "" if listing.complete else listing.error_message)


async def _export(
    context: Context,
    title: str,
    source: Callable[[ExportFormat], tuple[RowSource, Sequence[str]]],
    missing: Callable[[], str] = str,
) -> None:
    """`source` returns the rows and the columns of a format, `missing` what the file lacks."""
    question = _("Export {title} as .csv, .json or .xlsx").format(title=title_in_sentence(title))
    target = await context.stage.ask(SaveBox(question, first_path(title, ".csv")))
    if target is None:
        return
    # The export may take long and opens nothing: keys do not wait for it.
    context.stage.stop_waiting()
    file = expanded(target.path)
    form = _FORMATS.get(file.suffix.lower(), "csv")
    rows, columns = source(form)
    try:
        count = await export(rows, file, form, columns, overwrite=target.overwrite)
    except FileExistsError:
        context.stage.show_message(
            _("{file} was created by another program. Nothing was exported.").format(file=file), "bad"
        )
    except OSError as error:
        context.stage.show_message(
            _("{file} cannot be written: {reason}. Nothing was exported.").format(
                file=file, reason=error.strerror or error
            ),
            "bad",
        )
    else:
        done = _("Exported {rows} to {shortened}.").format(rows=counted(count, "row"), shortened=_shortened(file))
        context.stage.show_message(f"{done} {missing()}".strip(), "warn" if missing() else "ok")


def _shortened(file: Path) -> str:
    """A path with `~` for the home folder."""
    home = Path.home()
    return f"~/{file.relative_to(home)}" if file.is_relative_to(home) else str(file)
