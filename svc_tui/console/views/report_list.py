"""A report across companies as a list: its columns, its progress, and what a row leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Display, Placement, Resource, managed
from svc_tui.console.views.list import ListView
from svc_tui.console.views.list_filter import GROUP
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import NOTHING, plain_share, whole_day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.data import RecordData
from svc_tui.language import _, number_text
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.filters import FieldQuery
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.matching import Picks
from svc_tui.workspace.lists.report_listing import ReportListing
from svc_tui.workspace.lists.reports import Report, ReportColumn


def report_resource(
    report: Report, leads: Callable[[RecordData], Place | None], singular: str, plural: str
) -> Resource:
    """The resource of a report, which is opened as `report-NAME`; `leads` is the place of a row."""
    name = f"report-{report.name}"
    return Resource(
        # A row is no record of the service: it has all its fields, and is not read again.
        kind=KINDS.get(name) or Kind(name, report.operation, report.operation, derived=True),
        title=report.title,
        singular=singular,
        plural=plural,
        known_as=(f"report {report.name}",),
        label_field=report.columns[0].field,
        sort=report.sort,
        descending=report.descending,
        display=Display(columns=tuple(_column(each) for each in report.columns), list_view=lambda: ReportView),
        placement=Placement(leads=leads),
        subject=lambda row, caller: managed(str(row.get("companyId") or caller.company_id), caller),
        report=report,
    )


def _column(declared: ReportColumn) -> Column:
    unit = declared.unit

    def number(value: Any, row: RecordData) -> str:
        return NOTHING if value is None else f"{number_text(value)} {unit}".strip()

    formats: dict[str, Callable[[Any, RecordData], str]] = {"number": number, "share": plain_share, "day": whole_day}
    return Column(
        field=declared.field,
        title=declared.title,
        width=declared.width,
        flex=declared.flex,
        align="right" if declared.type in ("number", "share") else "left",
        format=formats.get(declared.type),
        of=lambda row: row.get(declared.field),
        aged=declared.type == "moment",
        sort_field=declared.by or declared.field,
        priority=declared.priority,
    )


class ReportView(ListView):
    """The rows of a report as they arrive; `esc` stops the reading, a refresh continues it."""

    @property
    def report(self) -> Report:
        """The report of the view; LookupError for a resource without one."""
        if self._declared.report is None:
            raise LookupError(f"{self._declared.name} is no report")
        return self._declared.report

    def opened(
        self, path: Mapping[str, str], query: Mapping[str, Any], local: Picks | None, questions: Sequence[FieldQuery]
    ) -> Listing:
        companies = self.workspace.preferences.members(str(self.form_query.get(GROUP) or ""))
        return self.workspace.listing(
            self.resource.list,
            derive=lambda source: ReportListing(
                source,
                self.report,
                companies,
                local,
                self.sort_field,
                self.descending,
                service=self.workspace,
            ),
        )

    def _follow_beside(self, record: Mapping[str, Any]) -> None:
        # The row has no declared fields: its columns name them.
        shown = {each.title: each.text(record)[0].text for each in self.declared_columns}
        title = self.resource.label(record)
        self.beside.follow(self.resource.record_id(record), title, shown, (), self.resource.kind, None)

    def status(self) -> Sequence[Piece]:
        pieces = [*super().status()]
        listing = self.listing
        if isinstance(listing, ReportListing) and listing.refreshing:
            pieces.append(Piece(f"   {listing.progress}", "dim"))
        if isinstance(listing, ReportListing) and listing.reading is not None and listing.reading.left_out:
            pieces.append(Piece(_("   without {names}").format(names=", ".join(listing.reading.left_out)), "dim"))
        return pieces
