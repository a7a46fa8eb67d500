"""A service that does not respond while the form of a CloudPBX is reviewed."""

from __future__ import annotations

from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.voice.cloudpbx_editing import EDITED
from tests.stories.driver import profile, story
from tests.stories.wire import wired


async def test_a_form_does_not_change_while_its_review_is_read(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url), place="cloudpbxs") as person:
        await person.is_ready()
        await person.puts_cursor_on("Northwind voice")
        await person.press("e")
        await person.sees(f"{len(fields_of(EDITED))} fields")
        await person.press("ctrl+f")
        await person.type("cli policy")
        await person.press("enter", "u")
        await person.sees_line(r"\* CLI policy\s+The user.s own number")
        wire.hold = b"GET /api/svc/voiceprovisioning"
        await person.press("ctrl+o")
        await person.sees("reading…   esc cancels")
        await person.press("i")
        await person.sees_line(r"\* CLI policy\s+The user.s own number")
        await person.press("esc")
        await person.sees("Cancelled.")
        await person.sees_line(r"\* CLI policy\s+The user.s own number")
        wire.released.set()
