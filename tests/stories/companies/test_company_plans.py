"""Companies as documents in the console: the plan as a view, applied and continued, export, comparison and a clone."""

from __future__ import annotations

import re
from pathlib import Path

from svc_tui.interface.catalogue import operation
from tests.stories.beside import other_client
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired

SUPERADMIN = "superadmin@demo.example"


def document(folder: Path, text: str) -> Path:
    path = folder / "company.yaml"
    path.write_text(text)
    return path


def company_id(file: Path) -> str:
    found = re.search(r'id: "([0-9a-f]{24})"', file.read_text())
    assert found is not None
    return found[1]


async def plans(person: Story, path: Path) -> None:
    await person.is_ready()
    await person.press(":")
    await person.type(f"plan {path}")
    await person.press("enter")
    await person.sees("Plan of company.yaml")


async def test_a_refused_step_has_its_reason_below_it(service: str, tmp_path: Path) -> None:
    path = document(
        tmp_path,
        "company: {name: Northwind Telecom, city: Porto}\n"
        "sites: {exactly: [{name: Lisbon}, {name: Madeira}]}\n"
        'subscriptions: [{offerName: "Business, one year", maxNumberUsers: 20}]\n'
        "users: [{loginEmail: company_admin@demo.example, jobTitle: Boss, siteId: Nowhere}]\n",
    )
    async with story(profile(service, SUPERADMIN), size=(120, 40)) as person:
        await plans(person, path)
        await person.sees("- Porto", "maxNumberUsers: 12 → 20", "there is no “Nowhere”", "1 refused")


async def test_a_plan_is_filtered_opened_and_applied(service: str, tmp_path: Path) -> None:
    path = document(
        tmp_path,
        "company: {name: Northwind Retail, slogan: Every call arrives}\n"
        "sites: [{name: Evora depot}, {name: Faro depot}]\n",
    )
    async with story(profile(service, SUPERADMIN), size=(120, 40)) as person:
        await plans(person, path)
        await person.sees("2 to create, 1 to update, 0 to remove", "+ Evora depot", "+ Faro depot")
        await person.sees("slogan: null → Every call arrives")
        await person.press("/")
        await person.type("faro")
        await person.press("enter")
        await person.does_not_see("Evora depot")
        await person.press("enter")
        await person.sees("create_site", '"name": "Faro depot"')
        await person.press("esc", "/", "ctrl+u", "enter")
        await person.press("enter")
        await person.sees("▸ Northwind Retail")
        await person.press("esc")
        await person.sees("Plan of company.yaml")
        await person.press("A")
        await person.sees("Apply 3 changes")
        await person.press("enter")
        await person.sees("3 of 3 done")
        await person.press("r")
        await person.sees("No changes.")


async def test_a_plan_continues_after_the_service_stopped_in_its_middle(service: str, tmp_path: Path) -> None:
    sites = "".join(f"- name: Depot {number}\n" for number in range(4))
    path = document(tmp_path, f"company: {{name: Juniper Labs}}\nsites:\n{sites}")
    async with wired(service) as (wire, url), story(profile(url, SUPERADMIN), size=(120, 40)) as person:
        await plans(person, path)
        await person.sees("4 to create")
        wire.swallow, wire.away_after = b"POST ", True
        await person.press("A")
        await person.sees("Apply 4 changes")
        await person.press("enter")
        await person.sees("unknown", "0 of 4 done")
        wire.away, wire.away_after = False, False
        await person.sees("●")
        await person.press("r")
        # The first one was made, though its response was lost.
        await person.sees("3 to create", "+ Depot 3")
        await person.press("A", "enter")
        await person.sees("3 of 3 done")
        await person.press("r")
        await person.sees("No changes.")


async def test_a_company_is_exported_compared_and_begun_again(service: str, tmp_path: Path) -> None:
    file = tmp_path / "labs.yaml"
    async with story(profile(service, SUPERADMIN), size=(120, 40)) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.puts_cursor_on("Elm Street Hotels")
        await person.press("w")
        await person.sees("Export as a document", "Compare with a file", "New company like this")
        await person.press("enter")
        await person.sees("Only you can read the saved file.")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("Exported to")
        assert "name: Elm Street Hotels" in file.read_text()

        async with other_client(service, SUPERADMIN) as other:
            change = operation("update_company")
            await other.send(change, path={"companyId": company_id(file)}, body={"slogan": "Sleep well"})
        file.write_text(
            file.read_text().replace("name: Elm Street Hotels", "name: Elm Street Hotels\n  slogan: Rest", 1)
        )
        await person.press("w", "down", "enter")
        await person.sees("Compare with a file", "A YAML file")
        await person.type(str(file))
        await person.press("enter")
        await person.sees("Plan of labs.yaml", "slogan: Sleep well → Rest")
        await person.press("esc")

        await person.press("w", "down", "down", "enter")
        await person.sees("New company like Elm Street Hotels", "macAddresses:", "the new company has no name yet")
        await person.does_not_see("Reading…")
        await person.press(*["up"] * 60, "home", "down", "end")
        await person.type(" Oak Street Hotels")
        await person.does_not_see("the new company has no name yet")
        await person.press("ctrl+o")
        await person.sees("Plan of New company like Elm Street Hotels", "+ Oak Street Hotels")
        await person.does_not_see("0 to create")
