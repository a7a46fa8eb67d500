"""Pictures of what every list, detail and form has, shown on applications; and of the login."""

from __future__ import annotations

from tests.pictures.picture import DESIGN, LARGE, WIDE, Picture
from tests.stories.driver import Story


async def _list(person: Story) -> None:
    await person.is_ready()
    await person.puts_cursor_on("Campus Client")
    await person.sees("SSO" if person.app.size.width >= 110 else "Campus")


async def _menu(person: Story) -> None:
    await _list(person)
    await person.press(":")
    await person.sees("subscriptions", "recordings")


async def _marks(person: Story) -> None:
    await person.is_ready()
    await person.press("/")
    await person.type("state:active m")
    await person.press("enter")
    await person.sees("/state:active m")
    await person.press("space", "space")
    await person.sees("2 marked")


async def _detail(person: Story) -> None:
    await _list(person)
    await person.press("enter")
    await person.sees("Secret", "Single sign-on" if person.app.size.height > 24 else "Business")


async def _form(person: Story) -> None:
    await _detail(person)
    await person.press("e")
    await person.sees("no changes")
    await person.on_field("Origin")
    await person.type("customer portal")
    await person.press("down", "right")
    await person.sees("2 changed")


async def _preview(person: Story) -> None:
    await _form(person)
    await person.press("ctrl+o")
    await person.sees("Affects 1 application.")


async def _palette(person: Story) -> None:
    await _list(person)
    await person.press("ctrl+p")
    await person.type("st")
    await person.sees("Stop")


async def _help(person: Story) -> None:
    await _list(person)
    await person.press("?")
    await person.sees("Undo", "Most used")


async def _oauth(person: Story) -> None:
    await person.is_ready()
    await person.puts_cursor_on("Branch Planner")
    await person.press("O")
    await person.sees("OAuth of Branch Planner", "with links")


async def _login(person: Story) -> None:
    await person.sees("Password", "f3 Other method", "not logged in", "Not logged in: no cached data")
    await person.type("secret")


async def _code(person: Story) -> None:
    await person.sees("six digits", "Not logged in: no cached data")


async def _found(person: Story) -> None:
    await person.is_ready()
    await person.goes("find user@demo.example")
    await person.sees("Users (1)", "Licences (4)", " requests")


PICTURES = (
    Picture("list", DESIGN, _list),
    Picture("list-wide", WIDE, _list),
    Picture("list-large", LARGE, _list),
    Picture("menu", DESIGN, _menu),
    Picture("marks", DESIGN, _marks),
    Picture("detail", DESIGN, _detail),
    Picture("detail-wide", WIDE, _detail),
    Picture("detail-large", LARGE, _detail),
    Picture("form", DESIGN, _form),
    Picture("form-wide", WIDE, _form),
    Picture("form-large", LARGE, _form),
    Picture("preview", DESIGN, _preview),
    Picture("oauth-settings", DESIGN, _oauth),
    Picture("palette", DESIGN, _palette),
    Picture("help", DESIGN, _help),
    Picture("find", DESIGN, _found, login="support@demo.example"),
    Picture("login", DESIGN, _login, {"password": ""}),
    Picture("second-factor", DESIGN, _code, login="mfa@demo.example"),
)
