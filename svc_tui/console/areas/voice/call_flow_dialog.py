"""The call flow of a welcome service: both ways with the current one marked, now or at a typed time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.console.areas.voice.week_grid import CELL, SCALE, strip_of
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.terminal.text import cut, safe_text
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import written
from svc_tui.interface.voice.call_route import route
from svc_tui.interface.voice.hours import OpeningReason, OpeningState, Schedule, known_zone, periods_on
from svc_tui.interface.voice.moments import moment_text, read_moment
from svc_tui.interface.voice.week import DAYS as WEEKDAYS
from svc_tui.language import _

#: Most cells of a line.
_WIDEST = 72
#: The number of predicted changes.
_NEXT = 3
_MARGIN = "  "


class FlowBox(Box[None]):
    """The call flow. `hours` are the office hours of the service, None without any; `services` those of the PBX."""

    HINT = _("a time: 18:00, Sun 10:00, 2026-12-24 13:00")

    def __init__(self, service: RecordData, hours: RecordData | None, services: Sequence[RecordData] = ()) -> None:
        super().__init__(_("Call flow of {name}").format(name=service.get("name")))
        self._service, self._hours, self._services = service, hours, services

    def body(self) -> Iterable[Widget]:
        yield LineInput(placeholder=_("now"), id="when")
        yield plain("", id="picture")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._draw("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._draw(event.value)

    def _draw(self, text: str) -> None:
        now, error_message = datetime.now(UTC), ""
        try:
            moment = read_moment(text, now, known_zone(self._service.get("timezone")) or UTC)
        except ValueError as error:
            error_message = str(error)
        else:
            room = min(_WIDEST, self.app.size.width - 6)
            lines = picture(self._service, self._hours, moment, self._services)
            drawn = (cut(safe_text(line).text, room) for line in lines)
            self.query_one("#picture", Static).update(Content("\n".join(drawn)))
        self.query_one("#error", Static).update(Content(safe_text(error_message).text))


def picture(
    service: RecordData, hours: RecordData | None, moment: datetime, services: Sequence[RecordData] = ()
) -> list[str]:
    """The lines of the call flow; not yet safe to draw. `services` are the welcome services of the CloudPBX."""
    schedule = Schedule(hours, service.get("timezone"), service.get("manualMode"))
    name, state = service.get("timezone") or "UTC", schedule.at(moment)
    known = known_zone(name)
    zone, place = known or UTC, name
    if known is None:
        place = _("UTC; the time zone {name} is unknown on this machine").format(name=name)
    lines = [
        _("Calls to {numbers}").format(numbers=_numbers(service)),
        f"{_MARGIN}│  {moment_text(moment, zone)}, {place}",
        f"{_MARGIN}▼",
        f"{service.get('name')}: {state.sentence}{_whose(service, state)}",
        f"{_MARGIN}│  {_until(state, zone)}",
    ]
    if welcome := service.get("welcomeName"):
        lines.append(_("{margin}│  hears {welcome}").format(margin=_MARGIN, welcome=welcome))
    ways = {open: [hop.sentence for hop in route(service, open=open, services=services)] for open in (True, False)}
    for open, way in ways.items():
        lines += _way(way, open=open, taken=open is state.open)
    day = [] if known is None else _day(schedule.hours, moment.astimezone(zone))
    return [*lines, "", *day, *_coming(ways, schedule, state, zone)]


def _way(way: Sequence[str], *, open: bool, taken: bool) -> list[str]:
    """One of the two ways, with a line per stop; the current one is bold and marked."""
    corner, below = ("├", "│") if open else ("└", " ")
    line, arrow = ("━", "▸") if taken else ("┄", " ")
    start = f"{_MARGIN}{corner}{line * 2} {_word(open)} {line * 3}{arrow} "
    first, *others = way
    stops = [start + first, *(f"{_MARGIN}{below}".ljust(len(start)) + f"▸ {stop}" for stop in others)]
    return [*stops[:-1], stops[-1] + (_("  ◂ current") if taken else "")]


def _word(open: bool) -> str:
    """The word of a state, in the width of the longer one."""
    words = (_("closed"), _("open"))
    return words[open].ljust(max(map(len, words)))


def _numbers(service: RecordData) -> str:
    numbers = [service.get("externalNumber")]
    more = service.get("secondaryDDIs")
    numbers += [each.get("numberE164") for each in more if isinstance(each, Mapping)] if isinstance(more, list) else []
    return ", ".join(written(str(number)) for number in numbers if number) or _("the service (no number of its own)")


def _whose(service: RecordData, state: OpeningState) -> str:
    name = service.get("companyCalendarName")
    return f" {name}" if name and state.because is OpeningReason.HOURS else ""


def _until(state: OpeningState, zone: Any) -> str:
    """The end of the current state, whatever the next reason is."""
    if state.open is None:
        return ""
    word = _("open") if state.open else _("closed")
    return (
        _("{word} until {until}").format(word=word, until=moment_text(state.until, zone))
        if state.until
        else _("{word} permanently").format(word=word)
    )


def _day(hours: RecordData | None, there: datetime) -> list[str]:
    """The office hours of the day, with the time marked."""
    if not hours:
        return []
    name = f"{WEEKDAYS[there.weekday()][0][:3]}  "
    at = (there.hour * 60 + there.minute) // CELL
    return [
        " " * len(name) + SCALE,
        name + strip_of(periods_on(hours, there.date())),
        " " * (len(name) + at) + f"▲ {there:%H:%M}",
    ]


def _coming(ways: Mapping[bool, Sequence[str]], schedule: Schedule, state: OpeningState, zone: Any) -> list[str]:
    """The next changes, with their ways."""
    lines: list[str] = []
    while state.until is not None and len(lines) < _NEXT:
        moment = state.until
        state = schedule.at(moment)
        if state.open is None:
            lines.append(f"{moment_text(moment, zone)}  {state.sentence}")
            break
        lines.append(
            _("Then {moment}  {open}  {stop}").format(
                moment=moment_text(moment, zone), open=_word(state.open), stop=ways[state.open][-1]
            )
        )
    return lines
