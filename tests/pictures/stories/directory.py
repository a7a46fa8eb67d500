"""Pictures of directories: the entries of a company, and a file that is corrected before it is imported."""

from __future__ import annotations

import tempfile
from contextlib import chdir
from pathlib import Path

from svc_tui.server.demo.accounts import NORTHWIND
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.directory.demo import faulty_file
from tests.pictures.picture import DESIGN, Picture
from tests.stories.directory.steps import ADMIN, PLACE, opens
from tests.stories.driver import Story


async def _entries(person: Story) -> None:
    await person.is_ready()
    await person.goes(f"companies/{id_of('company', NORTHWIND)}/directoryentries")
    await person.sees("LAST NAME ▲", "390 contacts")
    await person.is_ready()


async def _doctor(person: Story) -> None:
    await person.is_ready()
    await person.goes(PLACE)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        file = Path("fair.csv")
        file.write_text(faulty_file(), encoding="utf-8")
        await opens(person, file)
        await person.sees("40 rows   20 with errors")


PICTURES = (
    Picture("directory", DESIGN, _entries, login=ADMIN),
    Picture("directory-doctor", DESIGN, _doctor, login=ADMIN),
)
