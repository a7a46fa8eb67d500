"""A filter on a list of 20,000 rows: the service is asked by the fields that it filters, and the list is not read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from tests.stories.driver import profile, story
from tests.support.databases import demo
from tests.support.keys import share_signing_key
from tests.support.process import serving_demo

MORE = 20_000


async def add_users(address: str) -> None:
    """Add users who are like one of the demo data, but for their names and logins."""
    database = Database(address)
    async with database.unit() as store:
        known = await store.users.one(Is("loginEmail", "user@demo.example"))
        assert known is not None
        await store.users.add_all(
            {
                **{name: value for name, value in known.items() if not name.startswith("jid")},
                "id": f"{number:024x}",
                "loginEmail": f"clerk{number}@long.example",
                "firstName": "Clerk",
                "lastName": f"N{number:05}",
                "displayName": f"Clerk N{number:05}",
            }
            for number in range(MORE)
        )
    await database.close()


@pytest.fixture(scope="module")
def long_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real service process with 20,000 more users."""
    folder = tmp_path_factory.mktemp("long")
    share_signing_key(folder / "data")
    asyncio.run(add_users(demo(datetime.now(UTC).date()).copy(folder / "data" / "svc.db")))
    with serving_demo(folder) as server:
        yield server.url


async def test_a_text_is_found_among_twenty_thousand_rows_in_few_requests(long_service: str) -> None:
    async with story(profile(long_service, "superadmin@demo.example"), place="users") as person:
        await person.is_ready()
        await person.sees_line(r"^ 20,\d\d\d users")
        log = person.app.frame.workspace.log
        for text, rows, found in (
            ("clerk19777@long.example", 1, "Clerk N19777"),
            ("N0123", 10, "Clerk N01230"),
            ("novak", 1, "Clara Novak"),
            ("unknown name", 0, ""),
        ):
            before = len(log.exchanges)
            await person.press("/")
            await person.type(text)
            await person.press("enter")
            await person.sees_line(rf"^ {rows} of 20,\d\d\d +/{text} +searched: ")
            await person.is_ready()
            assert found in person.screen
            assert len(log.exchanges) - before <= 6, [call.url for call in list(log.exchanges)[before:]]
            await person.press("esc")
            await person.sees_line(r"^ 20,\d\d\d users")
