"""Pictures of numbers: the statistics of a customer as a chart, and the dashboard of a partner."""

from __future__ import annotations

from tests.pictures.picture import PROJECTOR, WIDE, Picture
from tests.stories.driver import Story
from tests.stories.metrics.test_metrics import chooses

PARTNER = "bp_admin@demo.example"


async def _statistics(person: Story) -> None:
    await person.is_ready()
    await person.goes("customerstats")
    await person.sees("Statistics of customers", "USERS ▼")
    await person.is_ready()
    await person.puts_cursor_on("Northwind Telecom")
    await person.press("M")
    await person.sees("▸ Statistics", "Northwind Telecom   users connected today")
    await chooses(person, "w", "Time span", "30 days compared")
    await person.sees("last 30 days compared with the days before", "on average")
    await person.is_ready()


async def _dashboard(person: Story) -> None:
    await person.is_ready()
    await person.goes("dashboard")
    await person.sees("Dashboard of Harbour Telecom", "Customers", "Northwind Telec", "Licences")
    await person.sees_line(r"▲Fr")
    await person.is_ready()


PICTURES = (
    Picture("statistics", PROJECTOR, _statistics, login=PARTNER),
    Picture("dashboard", PROJECTOR, _dashboard, login=PARTNER),
    Picture("dashboard-wide", WIDE, _dashboard, login=PARTNER),
)
