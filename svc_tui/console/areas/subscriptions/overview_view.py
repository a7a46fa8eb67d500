"""The overview of subscriptions across companies: the list of what ends, renews or runs out soon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.bars import Piece
from svc_tui.workspace.subscriptions.overview import DAYS, OverviewListing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from svc_tui.cache.cached import Row
    from svc_tui.workspace.lists.listing import Listing


class OverviewView(ListView):
    """Looks so many days ahead; what else is filtered goes to the list of companies that it is made of."""

    @property
    def days(self) -> int:
        return int(self.form_query.get("days") or DAYS)

    def look_ahead(self, days: int) -> None:
        """Show what matters within so many days."""
        self.filter_query({**self.form_query, "days": days})

    def opened(self, path: Mapping[str, str], query: Mapping[str, Any], local: Callable[[Row], bool] | None) -> Listing:
        ours = ("days", "sortField", "sortOrder")
        asked = {name: value for name, value in query.items() if name not in ours}
        return self.workspace.listing(
            self.the.list,
            path=path,
            query=asked,
            derive=lambda source: OverviewListing(source, self.days, local, self.sort_field, self.descending),
        )

    def status(self) -> Sequence[Piece]:
        return [*super().status(), Piece(f"   within {self.days} days", "dim")]
