"""The list of subscriptions in all companies that end, renew or run out of licences soon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.bars import Piece
from svc_tui.language import _
from svc_tui.workspace.subscriptions.overview import DAYS, OverviewListing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from svc_tui.cache.cached import RecordDict
    from svc_tui.workspace.lists.filters import FieldQuery
    from svc_tui.workspace.lists.listing import Listing


class DueSubscriptionsView(ListView):
    """Shows a number of days ahead; other filters apply to the companies of the overview."""

    @property
    def days(self) -> int:
        return int(self.form_query.get("days") or DAYS)

    def show_due_within(self, days: int) -> None:
        """Show the subscriptions that are due within a number of days."""
        self.filter_query({**self.form_query, "days": days})

    def opened(
        self,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        local: Callable[[RecordDict], bool] | None,
        questions: Sequence[FieldQuery],
    ) -> Listing:
        ours = ("days", "sortField", "sortOrder")
        asked = {name: value for name, value in query.items() if name not in ours}
        return self.workspace.listing(
            self.resource.list,
            path=path,
            query=asked,
            derive=lambda source: OverviewListing(source, self.days, local, self.sort_field, self.descending),
        )

    def status(self) -> Sequence[Piece]:
        return [*super().status(), Piece(_("   within {days} days").format(days=self.days), "dim")]
