"""A messaging password that another one knows does not work for ever: it ends with what let its user in."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from svc_tui.server.security.key_replacement import replace_signing_keys
from tests.server.authentication.oauth_support import TOKENS, application, code_of, exchanged
from tests.server.events.support import MESSAGE_PASSWORD, admin, listening, raw, session_registry
from tests.server.events.test_endpoint import SASL, last_words
from tests.support.world import PASSWORD, World, granted

Document = dict[str, Any]


async def put(world: World, kind: str, **fields: Any) -> None:
    """Change a record as a rule does."""
    async with world.service.database.unit() as store:
        collection = getattr(store, kind)
        await collection.put({**(await collection.get(fields["id"]) or {}), **fields})


async def deactivate(world: World, jane: Document) -> None:
    await put(world, "users", id=jane["id"], isActive=False)
    # A later change of a user without access changes nothing.
    password = (await world.stored("users", jane["id"]))["jid_password"]
    await put(world, "users", id=jane["id"], title="Dr")
    assert (await world.stored("users", jane["id"]))["jid_password"] == password
    await put(world, "users", id=jane["id"], isActive=True)


async def terminate(world: World, jane: Document) -> None:
    async with world.service.database.unit() as store:
        await store.users.put_all([{**jane, "isTerminated": True}])
    await put(world, "users", id=jane["id"], isTerminated=False)


async def new_password(world: World, jane: Document) -> None:
    hashed = world.service.passwords.hash("Another-horse-1")
    await put(world, "user_secrets", id=jane["id"], passwordHash=hashed)


async def revoke(world: World, jane: Document) -> None:
    granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    (grant,) = granted(await world.get(TOKENS, by=jane))["data"]
    granted(await world.delete(f"{TOKENS}/{grant['id']}", by=jane))


async def replace_keys(world: World, _jane: Document) -> None:
    await asyncio.to_thread(replace_signing_keys, world.service.settings)
    await world.service.tokens.keys.refresh()


@pytest.mark.parametrize("change", [deactivate, terminate, new_password, revoke, replace_keys])
async def test_a_messaging_password_ends_with_what_let_its_user_in(
    world: World, change: Callable[[World, Document], Awaitable[None]]
) -> None:
    jane = await admin(world)
    await application(world)
    async with listening(world) as place, raw(place) as opened:
        await opened.log_in()
        await change(world, jane)
        await session_registry(world).check()
        assert await last_words(opened) == "not-authorized"
        renewed = (await world.stored("users", jane["id"]))["jid_password"]
        assert len(renewed) == len(MESSAGE_PASSWORD)
        for password, expected in ((MESSAGE_PASSWORD, "failure"), (renewed, "success")):
            async with raw(place) as client:
                await client.open()
                assert (await client.authenticate(password=password)).tag == SASL + expected
    login = await world.login(password="Another-horse-1" if change is new_password else PASSWORD)
    assert granted(login)["loggedInUser"]["jid_password"] == renewed


async def test_other_changes_of_a_user_leave_the_messaging_password(world: World) -> None:
    jane = await admin(world)
    await put(world, "users", id=jane["id"], title="Dr")
    await put(world, "user_secrets", id=jane["id"], mfaSecret="x")
    granted(await world.login())
    assert (await world.stored("users", jane["id"]))["jid_password"] == MESSAGE_PASSWORD
