"""The overview of all customers: subscriptions that end, renew or run out of licences soon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.subscriptions.cells import ENDS, LICENCES, renewal
from svc_tui.console.core.actions import LIST, Action
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context, Display, Placement, Resource
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS
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


#: The periods to choose from, in days.
AHEAD = (7, 14, 30, 60, 90, 180, 365)


def _field(name: str) -> Callable[[RecordData], Any]:
    """A value added to a subscription by the overview."""
    return lambda record: record.get(name)


def _left(record: RecordData) -> str:
    days = record.get("daysLeft")
    return NOTHING if days is None else "today" if days == 0 else f"{days} d"


def _view() -> type[ListView]:
    return DueSubscriptionsView


async def _choose_days(context: Context) -> None:
    view = context.require_view(DueSubscriptionsView)
    periods = {**{str(days): _("{days} days").format(days=days) for days in AHEAD}, **PERIODS}
    choices = [Choice(period, text, _("selected") if period == view.period else "") for period, text in periods.items()]
    chosen = await context.stage.ask(Picker(_("Due within"), choices))
    if chosen is not None:
        view.show_due_within(chosen)


async def _open(context: Context) -> None:
    await context.stage.open(OVERVIEW.place())


def _to_overview(kind: str) -> Action:
    return Action(
        name=f"{kind}.overview",
        keys=("E",),
        label="Ending",
        help="Show subscriptions of all companies that end, renew or run out of licences soon",
        run=_open,
        group="Go",
        views=LIST,
        resource=kind,
        operation="list_companies",
    )


#: The actions that open it from the lists of companies and subscriptions.
FROM_COMPANIES, FROM_SUBSCRIPTIONS = _to_overview("companies"), _to_overview("subscriptions")

OVERVIEW = Resource(
    kind=KINDS["overview"],
    title="Subscriptions due",
    singular="subscription due",
    aliases=("ending", "ends"),
    known_as=("renewals", "expiring subscriptions"),
    display=Display(
        columns=(
            Column(
                field="companyName",
                title="COMPANY",
                width=18,
                flex=2,
                sort_field="companyName",
                of=_field("companyName"),
            ),
            Column(field="offerName", title="SUBSCRIPTION", width=14, flex=2, sort_field="offerName"),
            Column(field="why", title="REASON", width=16, sort_field="why", of=_field("why")),
            Column(field="daysLeft", title="LEFT", width=5, align="right", sort_field="daysLeft", of=_left),
            replace(ENDS, sort_field=None, priority=1),
            replace(LICENCES, priority=2),
            Column(field="autoRenew", title="RENEWAL", width=14, of=renewal, priority=3),
        ),
        list_view=_view,
    ),
    query={"format": "full"},
    label_field="offerName",
    placement=Placement(
        path={"companyId": "companies"},
        opens="subscriptions",
    ),
)

RESOURCES = (OVERVIEW,)

ACTIONS: tuple[Action, ...] = (
    FROM_COMPANIES,
    FROM_SUBSCRIPTIONS,
    Action(
        name="overview.ahead",
        keys=("w",),
        label="Within",
        help="Choose how many days ahead to show, or up to the end of a month, quarter or year",
        run=_choose_days,
        group="Find",
        views=LIST,
        resource="overview",
        footer=20,
    ),
)
