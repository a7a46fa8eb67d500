"""Pictures of telephony: a CloudPBX edited, a number tried, subscribers, office hours, where calls go, recordings."""

from __future__ import annotations

from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.voice.cloudpbx_editing import EDITED
from tests.pictures.picture import DESIGN, LARGE, WIDE, Picture
from tests.stories.driver import Story

NORTHWIND = "Northwind voice"


async def _lists(person: Story, place: str, title: str) -> None:
    await person.is_ready()
    await person.goes(place)
    await person.sees(f"▸ {title} of {NORTHWIND}")
    await person.is_ready()


async def _cloudpbxs(person: Story) -> None:
    await person.is_ready()
    await person.goes("pbx")
    await person.sees(NORTHWIND)
    await person.is_ready()
    await person.puts_cursor_on(NORTHWIND)


async def _contradiction(person: Story) -> None:
    """A trunk is linked, and the prefix that leads to it is removed."""
    await _cloudpbxs(person)
    await person.press("e")
    await person.sees(f"{len(fields_of(EDITED))} fields", "no changes")
    await person.on_field("Outgoing prefix")
    await person.press("ctrl+u")
    await person.sees("requires an outgoing prefix")


async def _try_number(person: Story) -> None:
    await _cloudpbxs(person)
    await person.press("T")
    await person.sees(f"Test a number on {NORTHWIND}")
    await person.type("0 601 234 567")
    await person.sees("0 601 234 567 is barred")


async def _subscribers(person: Story) -> None:
    await _lists(person, "subscribers", "Subscribers")
    await person.puts_cursor_on("Clara Novak")


async def _week(person: Story) -> None:
    await _lists(person, "officehours", "Office hours")
    await person.puts_cursor_on("▌Office")
    await person.press("w")
    await person.sees("Hours of Office", "Exceptions")
    await person.press(*["down"] * 4)
    await person.sees("Friday: ")


async def _flow(person: Story) -> None:
    await _lists(person, "welcomeservices", "Welcome services")
    await person.puts_cursor_on("▌Reception")
    await person.press("w")
    await person.sees("Call flow of Reception")
    await person.type("Sun 10:00")
    await person.sees("Closed by the office hours Office", "Then Mon")


async def _day_totals(person: Story) -> None:
    await _lists(person, "recordings", "Recordings")
    await person.press("T")
    await person.sees("Recordings per day", "in these 14 days")
    await person.sees_line(r"Sat 2026-11-07\s")


async def _overview(person: Story) -> None:
    """A user whose telephone is not registered: the cursor is on the first finding."""
    await person.is_ready()
    await person.goes("users rosa")
    await person.sees("Rosa O'Brien")
    await person.press("enter")
    await person.sees("no device is registered", "Account", "Telephone")
    await person.does_not_see("Checking…", "Loading…")
    await person.sees("Registration: Expiration date")


PICTURES = (
    Picture("cloudpbx", DESIGN, _contradiction, login="bp_admin@demo.example"),
    Picture("try-number", DESIGN, _try_number),
    Picture("subscribers", DESIGN, _subscribers),
    Picture("user", DESIGN, _overview),
    Picture("user-wide", WIDE, _overview),
    Picture("user-large", LARGE, _overview),
    Picture("office-hours", DESIGN, _week),
    Picture("call-flow", DESIGN, _flow),
    Picture("recordings-days", DESIGN, _day_totals),
)
