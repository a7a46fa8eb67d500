"""Choices in the views of statistics and usage: spans, periods, groups, time zones and comparisons; and saving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from svc_tui.console.areas.metrics import dashboard_view
from svc_tui.console.areas.metrics.customer_bars import COLUMNS, NAME
from svc_tui.console.areas.metrics.number_names import number_words
from svc_tui.console.areas.metrics.series_view import SeriesView
from svc_tui.console.areas.metrics.statistics_view import DAYS, StatisticsView, before_words, span_words
from svc_tui.console.areas.metrics.usage_view import UsageView
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.save import SaveBox, save
from svc_tui.interface.metrics.values import LONGEST
from svc_tui.interface.texts import counted
from svc_tui.interface.value_words import word
from svc_tui.language import _, number_text
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files import export as export_module
from svc_tui.workspace.files.downloads import first_path
from svc_tui.workspace.metrics import flat_export
from svc_tui.workspace.metrics.spans import HINT, RULES, Span, common_spans, parse_span, problem_of, zones

_TYPED, _NONE = "typed", "none"
#: The beginning of the value of a span that was typed into the list of spans.
_READ = "="


async def ask(context: Context, title: str, choices: Sequence[Choice]) -> str | None:
    """Ask for one of several choices; None when cancelled."""
    return await context.stage.ask(Picker(title, choices))


def usage_view(context: Context) -> UsageView:
    """The usage view on top."""
    return context.require_view(UsageView)


def statistics_view(context: Context) -> StatisticsView:
    """The statistics view on top."""
    return context.require_view(StatisticsView)


async def open_of(context: Context, name: str) -> None:
    """Open the numbers of the record under the cursor, or of the marked records side by side."""
    console, resource = context.stage, context.require_resource()

    def place_of(record_id: str) -> Place:
        return Place(("companies" if name == "statistics" else resource.name, record_id, name))

    if not context.marked:
        await console.open(place_of(resource.record_id(context.record or {})))
        return
    view = StatisticsView if name == "statistics" else UsageView
    place = place_of(context.marked[0])
    await context.stage.show(view(place, console.resources[name], context.workspace, context.marked))


# --- usage ---------------------------------------------------------------------------------------------------------


async def choose_period(context: Context) -> None:
    """Count by hour, day or month; periods that are too short for the span are greyed out with the limit."""
    view = usage_view(context)
    choices = [
        Choice(
            period,
            _("by {period}").format(period=word(period)),
            _("spans of up to {longest}").format(longest=longest),
            view.span.problem(period),
        )
        for period, (__, longest) in LONGEST.items()
    ]
    chosen = await ask(context, _("Period"), choices)
    if period := next((each for each in LONGEST if each == chosen), None):
        context.stage.show_message(view.choose(period=period), "warn")


async def choose_span(context: Context) -> None:
    """Choose the span; the period is changed where the span is too long for it."""
    view = usage_view(context)
    if span := await _span(context, _("Time span"), common_spans(view.day)):
        context.stage.show_message(view.choose(span=span), "warn")


async def choose_against(context: Context) -> None:
    """Choose a second span to compare with, or none."""
    view = usage_view(context)
    before, weekdays = view.span.before(), view.span.same_weekdays()
    weeks = _("a week") if view.span.weeks == 1 else _("{weeks} weeks").format(weeks=view.span.weeks)
    near = [_renamed(view.span.year_before(), _("one year earlier"))]
    if (weekdays.first, weekdays.until) != (before.first, before.until):
        near.insert(0, _renamed(weekdays, _("the same weekdays {weeks} earlier").format(weeks=weeks)))
        near.insert(0, _renamed(before, _("the previous span")))
    else:
        near.insert(
            0, _renamed(before, _("the previous span, with the same weekdays {weeks} earlier").format(weeks=weeks))
        )
    more = [Choice(_NONE, _("no comparison"), _("only the current span"))] if view.against else []
    span = await _span(context, _("Compare with"), [*near, *common_spans(view.day)[5:9]], more)
    if span is not None:
        context.stage.show_message(view.choose(against=None if span == _NOTHING else span), "warn")


_NOTHING = Span(parse_span("2000-01-01").first, parse_span("2000-01-01").first)


def _renamed(span: Span, name: str) -> Span:
    return Span(span.first, span.until, name)


async def _span(context: Context, title: str, spans: Sequence[Span], more: Sequence[Choice] = ()) -> Span | None:
    choices = [Choice(str(place), span.name, str(span)) for place, span in enumerate(spans)]
    typed = Choice(_TYPED, _("other dates…"), RULES)
    chosen = await context.stage.ask(Picker(title, [*choices, typed, *more], read=_read))
    if chosen == _NONE:
        return _NOTHING
    if chosen and chosen.startswith(_READ):
        return parse_span(chosen.removeprefix(_READ))
    if chosen != _TYPED:
        return spans[int(chosen)] if chosen else None
    line = await context.stage.ask(LineBox(title, HINT, problem_of))
    return parse_span(line) if line else None


def _read(text: str) -> Choice | None:
    """A typed span as a choice; None for a text that is none."""
    try:
        span = parse_span(text)
    except ValueError:
        return None
    days = span.days
    return Choice(f"{_READ}{text}", str(span), counted(days, "day"))


async def choose_groups(context: Context) -> None:
    """Add a group to the filter, or remove it."""
    view = usage_view(context)
    body = await context.workspace.read("list_usage_groups", {}, {})
    data = body.get("data") if isinstance(body, dict) else None
    known = data if isinstance(data, dict) else {}
    choices = [Choice("", _("all groups"), "" if view.groups else _("selected"))]
    for heading in ("administration", "resources"):
        names = [str(name) for name in known.get(heading) or ()]
        choices += [Choice(name, name, _("selected") if name in view.groups else heading) for name in names]
    chosen = await ask(context, _("Groups"), choices)
    if chosen is not None:
        others = tuple(name for name in view.groups if name != chosen)
        more = (chosen,) if chosen and chosen not in view.groups else ()
        view.choose(groups=(*others, *more) if chosen else ())


async def choose_zone(context: Context) -> None:
    """Choose the time zone in which days and months begin; it is kept as a preference."""
    view = usage_view(context)
    choices = [Choice(zone, zone, _("selected") if zone == view.zone else "") for zone in zones()]
    if chosen := await ask(context, _("Time zone"), choices):
        view.choose(zone=chosen)


async def choose_dc_zones(context: Context) -> None:
    """Filter by zones of data centres; an empty line removes the filter."""
    line = await context.stage.ask(LineBox(_("Filter by zones of data centres"), _("eu, na; empty for all")))
    if line is not None:
        usage_view(context).choose(dc_zones=line)


# --- statistics ------------------------------------------------------------------------------------------------------


async def choose_number(context: Context) -> None:
    """Choose the KPI that the chart shows."""
    view = statistics_view(context)
    choices = [
        Choice(name, number_words(name), _("{value} today").format(value=number_text(value)))
        for name, value in view.numbers_known.items()
    ]
    if chosen := await ask(context, _("KPI"), choices):
        view.choose(number=chosen)


async def choose_days(context: Context) -> None:
    """Choose how many days to show, with or without the days before."""
    view = statistics_view(context)
    choices = []
    for days in DAYS:
        choices.append(Choice(f"{days}", span_words(days)))
        if days:
            choices.append(
                Choice(
                    _("{days} before").format(days=days),
                    _("{span_words} compared with {before_words}").format(
                        span_words=span_words(days), before_words=before_words(days)
                    ),
                )
            )
    if chosen := await ask(context, _("Time span"), choices):
        view.choose(days=int(chosen.split()[0]), compared=" " in chosen)


async def customers(context: Context) -> None:
    """Open the statistics of all customers of the company."""
    company = str((context.record or {}).get("companyId") or "")
    await context.stage.open(Place(("companies", company, "customerstats")))


async def open_from_dashboard(context: Context) -> None:
    """Open where the item under the cursor leads: statistics of its number or customer, or a place of its area."""

    view = context.require_view(dashboard_view.DashboardView)
    link, number, scope = view.selected, view.selected_number, view.scope
    if not await context.stage.open_link(link) or not number:
        return
    if isinstance(opened := context.stage.top, StatisticsView):
        opened.choose(number=number)
        if opened.scope != scope:
            opened.toggle_scope()


async def chart_on_dashboard(context: Context) -> None:
    """Show the number of the tile under the cursor in the chart, or choose one."""

    view = context.require_view(dashboard_view.DashboardView)
    if view.tile:
        view.chart(view.tile)
        return
    choices = [
        Choice(name, words, _("selected") if name == view.number else "") for name, words in view.numbers_known.items()
    ]
    if (chosen := await ask(context, _("KPI"), choices)) is not None:
        view.chart(chosen)


async def sort_dashboard(context: Context) -> None:
    """Choose the column by which the customers are sorted."""

    view = context.require_view(dashboard_view.DashboardView)
    columns = {NAME: _("NAME"), **COLUMNS}
    choices = [
        Choice(name, title.capitalize(), _("selected") if name == view.customers.sorted_by else "")
        for name, title in columns.items()
    ]
    if (chosen := await ask(context, _("Sort customers"), choices)) is not None:
        view.sort_customers(chosen)


async def save_flat(context: Context) -> None:
    """Save the statistics of all customers as CSV."""

    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    to_interface = context.workspace.client.brand.interface_name if context.workspace.client else str
    turn = partial(flat_export.as_csv, declared_name=to_interface)
    await save(context, _("Save all statistics"), "export_customers_flat_stats", path, "statistics", turn)


# --- both ------------------------------------------------------------------------------------------------------------


async def add(context: Context, kind: str) -> None:
    """Add a record of a kind to the comparison, searched by name."""
    resource = context.stage.resources[kind]
    chosen = await context.stage.ask(
        Picker(_("Which {singular}?").format(singular=resource.singular), search=partial(_found, context, resource))
    )
    if chosen is None:
        return
    view = context.view
    if isinstance(view, UsageView | StatisticsView):
        view.add(chosen)
    if isinstance(view, UsageView):
        view.choose()


async def _found(context: Context, resource: Resource, text: str) -> list[Choice]:
    searched = {resource.kind.server_filters[resource.kind.text_column].parameter: text} if text else {}
    body = await context.workspace.read(resource.list, {}, {"format": "medium", "limit": 50, **searched})
    rows: Sequence[Mapping[str, Any]] = body.get("data", []) if isinstance(body, dict) else []
    return [Choice(resource.record_id(row), resource.label(row)) for row in rows]


async def save_table(context: Context) -> None:
    """Save the current table as CSV."""

    view = context.require_view(SeriesView)
    target = await context.stage.ask(SaveBox(_("Save as CSV"), first_path(view.file_name, ".csv")))
    if target is None:
        return
    rows = view.export_rows
    try:
        count = await export_module.export(rows, expanded(target.path), "csv", rows.columns)
    except OSError as error:
        context.stage.show_message(
            _("Could not write {path}: {reason}.").format(path=target.path, reason=error.strerror or error), "bad"
        )
        return
    context.stage.show_message(_("Saved {rows}: {path}").format(rows=counted(count, "row"), path=target.path), "ok")
