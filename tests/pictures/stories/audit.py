"""Pictures of the audit log: the list beside the change under the cursor."""

from __future__ import annotations

from tests.pictures.picture import SUPERADMIN, WIDE, Picture
from tests.stories.driver import Story


async def _log(person: Story) -> None:
    await person.is_ready()
    await person.goes("audit")
    await person.sees("▸ Audit log")
    await person.is_ready()
    await person.press("/")
    await person.type("operation:update_user")
    await person.press("enter")
    await person.sees("Changes", "Name of the record")
    await person.is_ready()


PICTURES = (Picture("audit", WIDE, _log, login=SUPERADMIN),)
