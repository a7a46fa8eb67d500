"""A record with a very long text: every view of it opens, and the next key is answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from svc_tui.interface.applications.operations import list_applications, update_application
from svc_tui.interface.applications.records import ApplicationQuery
from tests.stories.beside import own_server
from tests.stories.driver import profile, story

#: Another service may store longer texts than this one accepts.
_LONGER = "from svc_tui.interface import problems; problems.LONGEST_LINE = problems.LONGEST_TEXT = 10_000_000"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service without a limit for texts."""
    with own_server(tmp_path_factory.mktemp("long"), "largest_body = 2000000\n", before=_LONGER) as server:
        yield server.url


@pytest.mark.parametrize(
    "text",
    ["x" * 300_000, "\x1b" * 100_000, "😀" * 100_001, "a\n" * 100_000],
    ids=["letters", "escapes", "emoji", "lines"],
)
async def test_a_very_long_text_is_shown_up_to_a_limit(service: str, text: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        client = person.app.frame.workspace.client
        assert client is not None
        found = await client.call(list_applications, query=ApplicationQuery(name="Campus Client"))
        await client.send(update_application, path={"appId": found.data[0].id}, body={"description": text})
        await person.press("r")
        await person.puts_cursor_on("Campus Client")
        await person.press("enter")
        await person.sees_line(r"first 10,000 of|unsafe characters")
        await person.press("d")
        await person.sees('"name": "Campus Client"')
        await person.press("G")
        await person.sees_line("The first 100,000 of [0-9,]+ characters are shown. A copy contains all.")
        await person.press("esc", "e")
        await person.on_field("Description")
        await person.press("enter")
        await person.sees_line("Description has more than 100,000 characters. It cannot be edited here.|Save")
        await person.press("esc", "esc")
        await person.sees("Campus Client")
