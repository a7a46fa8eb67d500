"""Pictures of the administration of companies: lists and trees, settings, images, customisation templates."""

from __future__ import annotations

import tempfile
from pathlib import Path

from svc_tui.console.areas.companies.picture_widget import Blocks
from tests.pictures.picture import DESIGN, LARGE, SUPERADMIN, WIDE, Picture
from tests.stories.driver import Story, form_fields
from tests.support.pictures import picture


async def _companies(person: Story) -> None:
    await person.is_ready()
    await person.goes("companies")
    await person.sees("Northwind Telecom")
    await person.is_ready()


async def _company_list(person: Story) -> None:
    await _companies(person)
    await person.puts_cursor_on("Cedar Insurance")
    if person.app.size.width >= 110:
        await person.sees("─ Cedar Insurance ─", "In alert since")


async def _tree(person: Story) -> None:
    await _companies(person)
    await person.press("t")
    await person.sees("Harbour Telecom Partners")
    await person.press("space")
    await person.sees("Meridian Channel")


async def _hindrances(person: Story) -> None:
    await _companies(person)
    await person.puts_cursor_on("Harbour Telecom")
    await person.press("x")
    await person.sees("cannot be deleted yet")


async def _settings(person: Story) -> None:
    await _companies(person)
    await person.puts_cursor_on("Northwind Telecom")
    await person.press("e")
    await person.sees(f"{form_fields('update_company')} fields")
    await person.on_field("Slogan")
    await person.press("ctrl+u")
    await person.type("Every call arrives")
    await person.sees("1 changed")


async def _found_settings(person: Story) -> None:
    await _settings(person)
    await person.press("ctrl+f")
    await person.type("record")
    await person.press("enter")
    await person.sees(f"6 of {form_fields('update_company')} fields")


async def _images(person: Story) -> None:
    await _companies(person)
    await person.puts_cursor_on("Northwind Telecom")
    await person.press("i")
    await person.sees("PNG, ", "JPEG, ")
    await _drawn(person, 2)


async def _drawn(person: Story, count: int) -> None:
    """This many pictures are drawn."""
    await person.until(
        lambda: sum(bool(blocks.drawn) for blocks in person.app.screen.query(Blocks)) == count, "not drawn"
    )


async def _upload(person: Story) -> None:
    await _images(person)
    await person.press("u")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "logo.png"
        file.write_bytes(picture("PNG", (120, 120)))
        await person.type(str(file))
        await person.press("enter")
        await person.sees("content-type")
    await _drawn(person, 1)


async def _templates(person: Story) -> None:
    await person.is_ready()
    await person.goes("templates")
    await person.sees("Frontline staff")
    await person.is_ready()


async def _template(person: Story) -> None:
    await _templates(person)
    await person.puts_cursor_on("Telephony first")
    await person.press("e")
    await person.sees("no changes")
    await person.on_field("File storage")
    await person.press("right")
    await person.sees("4 dependent fields: ctrl+g sets them")


async def _application(person: Story) -> None:
    await _templates(person)
    await person.puts_cursor_on("Reception desk")
    await person.press("A", "c")
    await person.type("Northwind Telecom")
    await person.press("enter")
    await person.sees("Template: Telephony first → Reception desk")


#: A change of a company: values, a site that is new and one that is left over, licences with their price, a new user
#: with a telephone, and a site that does not exist.
_DOCUMENT = """\
company: {name: Northwind Telecom, slogan: Every call arrives}
sites: {exactly: [{name: Coimbra}, {name: Faro}, {name: Lisbon}, {name: Porto}, {name: Madeira}]}
subscriptions: [{offerName: Voice Business, maxNumberUsers: 12}]
users:
- loginEmail: mara.costa@northwind.example
  firstName: Mara
  lastName: Costa
  jobTitle: Branch manager
  siteId: Madeira
  licences: [Voice Business]
  extension: "2090"
  ddiNumbers: ["+351212000190"]
- {loginEmail: ida.sato24@northwind.example, siteId: Madera}
"""


async def _plan(person: Story) -> None:
    await person.is_ready()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "northwind.yaml"
        file.write_text(_DOCUMENT)
        await person.press(":")
        await person.type(f"plan {file}")
        await person.press("enter")
        await person.sees("to create", "1 refused")


PICTURES = (
    Picture("companies", DESIGN, _company_list, login=SUPERADMIN),
    Picture("companies-wide", WIDE, _company_list, login=SUPERADMIN),
    Picture("companies-large", LARGE, _company_list, login=SUPERADMIN),
    Picture("companies-tree", DESIGN, _tree, login=SUPERADMIN),
    Picture("company-deletion", DESIGN, _hindrances, login=SUPERADMIN),
    Picture("settings", DESIGN, _settings),
    Picture("settings-wide", WIDE, _settings),
    Picture("settings-found", DESIGN, _found_settings),
    Picture("images", DESIGN, _images),
    Picture("upload", DESIGN, _upload),
    Picture("templates", DESIGN, _templates),
    Picture("template", DESIGN, _template),
    Picture("template-application", DESIGN, _application),
    Picture("plan", DESIGN, _plan, login=SUPERADMIN),
    Picture("plan-wide", WIDE, _plan, login=SUPERADMIN),
)
