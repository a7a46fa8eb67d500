"""Statistics of companies and usage of applications: resources and actions of their views (2.18, 4.8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.metrics import actions as metrics
from svc_tui.console.areas.metrics import dashboard_view, statistics_view, usage_view
from svc_tui.console.core.actions import LIST, RECORDS, REPORT, Action, Run
from svc_tui.console.core.resource import Context, Display, Placement, Resource, managed
from svc_tui.console.widgets.formatting import day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.language import _, number_text
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.core.places import Place
    from svc_tui.console.views.view import View
    from svc_tui.workspace.workspace import Workspace

USAGE, OWNER_USAGE, STATISTICS, CUSTOMERS, DASHBOARD = "usage", "ownerusage", "statistics", "customerstats", "dashboard"
#: The only record of a place with numbers.
NUMBERS = "numbers"
#: Most records in one comparison.
MOST = 8


def _view(context: Context) -> Any:
    return context.view


def _toggle_table(context: Context) -> None:
    _view(context).toggle_table()


def _toggle_scope(context: Context) -> None:
    _view(context).toggle_scope()


def _step(by: int) -> Run:
    return lambda context: context.view.move(by)


def _full(context: Context) -> str:
    return "" if _view(context).beside < MOST else _("the comparison is full ({most})").format(most=MOST)


def _nothing(context: Context) -> str:
    return "" if _view(context).series() else _("no numbers yet")


def _not_many(context: Context) -> str:
    """Why the marked records are too many for a comparison."""
    return _("mark at most {most} for a comparison").format(most=MOST) if len(context.marked) > MOST else ""


def _in(resource: str) -> Callable[..., Action]:
    def action(
        name: str, keys: tuple[str, ...], label: str, help: str, run: Run, footer: int = 0, **more: Any
    ) -> Action:
        name = f"{resource}.{name}"
        return Action(
            name=name,
            keys=keys,
            label=label,
            help=help,
            run=run,
            group="Statistics",
            views=REPORT,
            resource=resource,
            footer=footer,
            **more,
        )

    return action


def _series_actions(resource: str, kind: str) -> tuple[Action, ...]:
    """The actions of every view of numbers over time; `kind` is the kind of the records to compare."""
    action = _in(resource)
    return (
        action("table", ("t",), _("Table/chart"), _("Switch between the chart and its table"), _toggle_table, 15),
        action("right", ("right", "l"), _("Next slice"), _("Go to the next slice of the chart"), _step(1)),
        action("left", ("left", "h"), _("Previous slice"), _("Go to the previous slice"), _step(-1)),
        action(
            "add",
            ("a",),
            _("Add"),
            _("Add another record to the comparison"),
            lambda context: metrics.add(context, kind),
            50,
            possible=_full,
        ),
        action(
            "save",
            ("D",),
            _("Save CSV"),
            _("Save the current table as CSV"),
            metrics.save_table,
            60,
            possible=_nothing,
        ),
    )


def _usage_actions(resource: str, kind: str) -> tuple[Action, ...]:
    action = _in(resource)
    return (
        action("when", ("w",), _("Time span"), _("Choose the days to show"), metrics.choose_span, 20),
        action("against", ("c",), _("Compare"), _("Compare with other days"), metrics.choose_against, 30),
        action(
            "period",
            ("p",),
            _("Period"),
            _("Count by hour (up to 7 days), day (3 months) or month (3 years)"),
            metrics.choose_period,
            40,
        ),
        action(
            "groups",
            ("f",),
            _("Groups"),
            _("Filter by groups of operations"),
            metrics.choose_groups,
            70,
        ),
        action(
            "zone",
            ("z",),
            _("Time zone"),
            _("Choose the time zone for days and months"),
            metrics.choose_zone,
            80,
        ),
        *_series_actions(resource, kind),
    )


_STATISTICS = _in(STATISTICS)
_STATISTICS_ACTIONS = (
    _STATISTICS(
        "number",
        ("m",),
        _("KPI"),
        _("Choose the KPI to show"),
        metrics.choose_number,
        20,
        possible=_nothing,
    ),
    _STATISTICS(
        "when",
        ("w",),
        _("Time span"),
        _("Choose how many days to show, with or without the days before"),
        metrics.choose_days,
        30,
    ),
    _STATISTICS("scope", ("o",), _("Scope"), _("Count only the company, or also its customers"), _toggle_scope, 40),
    _STATISTICS(
        "customers",
        ("C",),
        _("Customers"),
        _("Show the statistics of all customers"),
        metrics.customers,
        70,
        operation="list_bp_company_stats",
        needs="record",
    ),
    *_series_actions(STATISTICS, "companies"),
)


def _not_owner(context: Context) -> str:
    """Why the usage of all applications of a user may not be read."""
    if context.marked or context.record is None or not context.stage.declared:
        return _not_many(context)
    return context.workspace.decide("get_owner_usage", Subject(owner_id=str(context.record.get("id")))).reason


def numbers_action(resource: str, name: str, operation: str) -> Action:
    """The action that opens the numbers of a record, or of the marked ones."""
    return Action(
        name=f"{resource}.{name}",
        keys=("M",),
        label="Statistics" if name == STATISTICS else "Usage",
        help="Show numbers over time; marked records are compared",
        run=lambda context: metrics.open_of(context, name),
        group="Records",
        views=RECORDS,
        resource=resource,
        operation=operation,
        needs="records",
        possible=_not_owner if name == OWNER_USAGE else _not_many,
        footer=46,
    )


def _usage_view(place: Place, workspace: Workspace, known: RecordData | None) -> View:
    resource = USAGES[place.kind]
    (of,) = resource.path_at(place, workspace.caller).values()
    return usage_view.UsageView(place, resource, workspace, [of] if of else [])


def _statistics_view(place: Place, workspace: Workspace, known: RecordData | None) -> View:
    ids = [place.record_id] if place.kind == CUSTOMERS else [place.parents.get("companies", "")]
    return statistics_view.StatisticsView(place, STATISTICS_RESOURCE, workspace, [id for id in ids if id])


def _dashboard_view(place: Place, workspace: Workspace, known: RecordData | None) -> View:
    return dashboard_view.DashboardView(place, DASHBOARD_RESOURCE, workspace)


def _company(record: RecordData, caller: Caller) -> Subject:
    return managed(str(record.get("companyId") or caller.company_id), caller)


def _owner(record: RecordData, caller: Caller) -> Subject:
    return Subject(owner_id=str(record.get("ownerId") or record.get("id") or ""))


def _count(value: Any, record: RecordData) -> str:
    return number_text(value)


def _numbers(field: str, title: str, priority: int, sort: str | None = None) -> Column:
    return Column(field=field, title=title, width=9, align="right", format=_count, priority=priority, sort_field=sort)


USAGES = {
    USAGE: Resource(
        kind=Kind(USAGE, "get_application_usage", "get_application_usage"),
        title="Usage",
        singular="usage",
        display=Display(record_view=_usage_view),
        placement=Placement(path={"applicationId": "applications"}, only=NUMBERS),
        subject=_owner,
    ),
    OWNER_USAGE: Resource(
        kind=Kind(OWNER_USAGE, "get_owner_usage", "get_owner_usage"),
        title="Usage of all applications",
        singular="usage",
        display=Display(record_view=_usage_view),
        placement=Placement(path={"ownerId": "users"}, only=NUMBERS),
        subject=_owner,
    ),
}

STATISTICS_RESOURCE = Resource(
    kind=Kind(STATISTICS, "get_company_daily_stats", "get_company_daily_stats"),
    title="Statistics",
    singular="statistics",
    aliases=("stats", "metrics"),
    display=Display(record_view=_statistics_view),
    placement=Placement(path={"companyId": "companies"}, only=NUMBERS),
    subject=_company,
)

CUSTOMERS_RESOURCE = Resource(
    kind=KINDS[CUSTOMERS],
    title="Statistics of customers",
    singular="customer",
    plural="customers",
    aliases=("customerstatistics",),
    label_field="companyName",
    display=Display(
        columns=(
            Column(field="companyName", title="NAME", width=20, flex=3),
            _numbers("users.total", _("USERS"), 0, "users.total"),
            _numbers("users.dailyConnected", "TODAY", 0),
            _numbers("users.monthlyConnected", "MONTH", 1),
            _numbers("users.newUser", _("NEW"), 2),
            _numbers("subscriptions.businessMax", _("BUSINESS"), 3),
            _numbers("subscriptions.enterpriseMax", _("ENTERPR."), 4),
            _numbers("systems.dailyConnected", _("SYSTEMS"), 5),
            Column(field="lastDataCollectDate", title="COUNTED", width=10, format=day, priority=6),
        ),
        record_view=_statistics_view,
    ),
    sort="users.total",
    descending=True,
    placement=Placement(path={"companyId": "companies"}),
)

DASHBOARD_RESOURCE = Resource(
    kind=Kind(DASHBOARD, "get_company_stats", "get_company_stats"),
    title="Dashboard",
    singular="dashboard",
    aliases=("charts",),
    section=9,
    display=Display(record_view=_dashboard_view),
    placement=Placement(path={"companyId": "companies"}, only=NUMBERS),
    subject=_company,
)

RESOURCES = (*USAGES.values(), STATISTICS_RESOURCE, CUSTOMERS_RESOURCE, DASHBOARD_RESOURCE)

ACTIONS: tuple[Action, ...] = (
    numbers_action("applications", USAGE, "get_application_usage"),
    numbers_action("users", OWNER_USAGE, "get_owner_usage"),
    numbers_action("companies", STATISTICS, "get_company_daily_stats"),
    *_usage_actions(USAGE, "applications"),
    *_usage_actions(OWNER_USAGE, "users"),
    _in(OWNER_USAGE)(
        "dczones",
        ("Z",),
        _("Data centres"),
        _("Filter by zones of data centres"),
        metrics.choose_dc_zones,
    ),
    *_STATISTICS_ACTIONS,
    Action(
        name="customerstats.save",
        keys=("D",),
        label="Save all as CSV",
        help="Save all numbers of all customers as a CSV file",
        run=metrics.save_flat,
        group="Statistics",
        views=LIST,
        resource=CUSTOMERS,
        operation="export_customers_flat_stats",
        footer=20,
    ),
    numbers_action(CUSTOMERS, STATISTICS, "get_company_daily_stats"),
    Action(
        name="dashboard.open",
        keys=("enter",),
        label="Open",
        help="Open where the number or line under the cursor leads",
        run=metrics.open_from_dashboard,
        group="Statistics",
        views=REPORT,
        resource=DASHBOARD,
        footer=10,
    ),
    _in(DASHBOARD)(
        "number",
        ("m",),
        _("Chart"),
        _("Show the number of the tile under the cursor in the chart, or choose one"),
        metrics.chart_on_dashboard,
        15,
    ),
    _in(DASHBOARD)("sort", ("s",), _("Sort"), _("Sort the customers by another column"), metrics.sort_dashboard, 17),
    _in(DASHBOARD)(
        "customers",
        ("C",),
        _("Customers"),
        _("Show the statistics of all customers"),
        metrics.customers,
        20,
        operation="list_bp_company_stats",
        needs="record",
    ),
)
