"""The list of subscriptions in all companies that end, renew or run out of licences soon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.bars import Piece
from svc_tui.language import _
from svc_tui.workspace.subscriptions.overview import DAYS, PERIODS, OverviewListing, days_of_period

if TYPE_CHECKING:
    from collections.abc import Sequence

    from svc_tui.cache.cached import RecordDict
    from svc_tui.workspace.lists.filters import FieldQuery
    from svc_tui.workspace.lists.listing import Listing


class DueSubscriptionsView(ListView):
    """Shows a number of days ahead; other filters apply to the companies of the overview."""

    @property
    def period(self) -> str:
        """A number of days, or the name of a calendar period whose end counts."""
        return str(self.form_query.get("days") or DAYS)

    @property
    def days(self) -> int:
        """How many days ahead are shown."""
        today = datetime.fromtimestamp(self.workspace.now(), UTC).date()
        return days_of_period(self.period, today)

    def show_due_within(self, period: str) -> None:
        """Show the subscriptions that are due within a number of days, or up to the end of a calendar period."""
        self.filter_query({**self.form_query, "days": period})

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
        return [*super().status(), Piece(self._within(), "dim")]

    def _within(self) -> str:
        named = PERIODS.get(self.period)
        days = _("   within {days} days").format(days=self.days)
        return f"   {named[0].lower()}{named[1:]}, {days.strip()}" if named else days
