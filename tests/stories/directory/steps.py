"""Repeated steps of the stories about directory files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from svc_tui.interface.catalogue import operation
from tests.stories.beside import other_client
from tests.stories.driver import Story

ADMIN = "directory_admin@demo.example"
COMPANY = "Northwind Telecom"
PLACE = "companies/own/directory"


async def looks_at(person: Story, file: Path, key: str = "i") -> None:
    """Choose a file in the place of imports."""
    await person.is_ready()
    await person.sees(f"Last import of {COMPANY}")
    await person.press(key)
    await person.sees("A CSV file whose first line names the columns, or a vCard file.")
    await person.type(file.name)
    await person.press("enter")
    await person.sees("Encoding", "Delimiter")


async def opens(person: Story, file: Path) -> None:
    """Choose a file and have it checked here."""
    await looks_at(person, file)
    await person.sees("detected", f"replace the directory of {COMPANY}")
    await person.press("enter")
    await person.sees(f"Doctor of {file.name}")


async def writes(person: Story, text: str, *, alike: bool = False) -> None:
    """Another value for the cell under the cursor."""
    await person.press("a" if alike else "enter")
    await person.until(lambda: doctor(person).editing, "no editor")
    await person.press("ctrl+u")
    await person.type(text)
    await person.press("enter")
    await person.until(lambda: not doctor(person).editing, "still an editor")


def doctor(person: Story) -> Any:
    return person.app.frame.view


async def imports(person: Story) -> None:
    """Agree to the preview of an import."""
    await person.press("i")
    await person.sees(
        f"Affects the directory of {COMPANY}.", "The current directory is replaced and cannot be restored."
    )
    await person.type(COMPANY)
    await person.press("enter")


async def entries(url: str) -> int:
    """The number of entries in the directory of the company."""
    async with other_client(url, ADMIN) as client:
        answer = await client.send(operation("list_directory_entries"), query={"view": "company"})
        return int(answer.body["total"])
