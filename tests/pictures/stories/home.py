"""Pictures of the start page: the default account of the demo in three sizes, and a partner."""

from __future__ import annotations

from tests.pictures.picture import LARGE, WIDE, Picture
from tests.stories.driver import Story


async def _home(person: Story) -> None:
    await person.goes("home")
    await person.sees("demo ▸ Home", "out of licences")
    await person.is_ready()


PICTURES = (
    Picture("home", (80, 24), _home),
    Picture("home-wide", WIDE, _home),
    Picture("home-large", LARGE, _home),
    Picture("home-partner", (80, 24), _home, login="bp_admin@demo.example"),
)
