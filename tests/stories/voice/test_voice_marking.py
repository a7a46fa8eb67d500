"""Marking a long list: progress, no action until it ends, and a key that stops it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from svc_tui.interface.catalogue import operation
from svc_tui.workspace.lists.listing import Listing
from tests.stories.driver import profile, story
from tests.stories.wire import wired


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """What the ids of a list wait for after the first hundred."""
    opened, ids = asyncio.Event(), Listing.ids

    async def held(listing: Listing) -> AsyncIterator[str]:
        at = 0
        async for record_id in ids(listing):
            at += 1
            if at == 101:
                await opened.wait()
            yield record_id

    monkeypatch.setattr(Listing, "ids", held)
    return opened


async def test_nothing_is_deleted_before_all_that_match_are_marked(service: str, gate: asyncio.Event) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("recordings")
        await person.sees("1,250 recordings")
        await person.press("*")
        await person.sees("marking 100 of 1,250, esc stops")
        await person.press("x")
        await person.sees_line(r"Delete.*: marking 100 of 1,250, esc stops")
        await person.does_not_see("confirm")
        await person.press("esc")
        await person.does_not_see("marking…", "marked")
        await person.sees("1,250 recordings")
        gate.set()
        await person.press("*")
        await person.sees("1250 marked")


async def test_a_change_of_one_device_is_not_offered_while_others_are_marked(service: str) -> None:
    async with story(profile(service), place="cloudpbxs") as person:
        await person.is_ready()
        await person.press("D")
        await person.sees("SIP devices of Northwind voice", "M110 desk")
        await person.is_ready()
        await person.puts_cursor_on("B40 desk of Jonas Ramos")
        await person.press("space")
        await person.sees_line("▌B40 desk of Lina Ramos")
        await person.press("R")
        await person.sees("Unassign: clear the marks: this is for one record at a time")
        await person.does_not_see("DELETE")
        await person.press("esc")
        await person.does_not_see("1 marked")
        await person.press("R")
        await person.sees("Unassign B40 desk of Lina Ramos")


async def test_a_change_of_one_device_is_offered_while_only_this_one_is_marked(service: str) -> None:
    async with story(profile(service), place="cloudpbxs") as person:
        await person.is_ready()
        await person.press("D")
        await person.sees("SIP devices of Northwind voice", "M110 desk")
        await person.is_ready()
        await person.puts_cursor_on("B40 desk of Jonas Ramos")
        await person.press("space", "up")
        await person.sees("1 marked")
        await person.sees_line("▌B40 desk of Jonas Ramos|\\*B40 desk of Jonas Ramos")
        await person.press("R")
        await person.sees("Unassign B40 desk of Jonas Ramos")


async def test_the_pane_beside_a_list_that_is_loading_names_the_kind_of_record(service: str) -> None:
    async with wired(service) as (wire, url):
        wire.hold = f"GET {operation('list_cloudpbxs').path}".encode()
        async with story(profile(url), size=(120, 40), place="cloudpbxs") as person:
            await person.until(wire.held.is_set, "nothing is held")
            await person.sees("╭─ CloudPBX ─", "Loading…")
            wire.released.set()
            await person.sees("╭─ Northwind voice ─")
