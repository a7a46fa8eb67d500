"""A refresh that hangs: asking again replaces the request, and giving up cancels it."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.open_record import OpenRecord
from tests.workspace.conftest import Desk
from tests.workspace.line import Script, until

OPEN: dict[str, Callable[[Desk], Listing | OpenRecord]] = {
    "list": lambda desk: desk.workspace.listing("list_applications"),
    "filtered list": lambda desk: desk.workspace.listing("list_applications", local=lambda row: True),
    "record": lambda desk: desk.workspace.record("get_application", path={"appId": "a1"}),
}


class OneOrMany(Script):
    """The list, and each of its records."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/a1"):
            return httpx.Response(200, json={"data": {"id": "a1", "name": "App 1"}})
        return await super().handle_async_request(request)


@pytest.fixture
def script() -> Script:
    return OneOrMany(200)


async def _opened(desk: Desk, what: str) -> Listing | OpenRecord:
    opened = OPEN[what](desk)
    if isinstance(opened, Listing):
        opened.request(0, 20)
    await opened.wait_until_idle()
    assert opened.read_from == "live"
    return opened


async def _hangs(desk: Desk, opened: Listing | OpenRecord) -> None:
    """A refresh whose response does not come."""
    desk.line.hold()
    requests = len(desk.line.requests)
    opened.refresh()
    await until(lambda: len(desk.line.requests) > requests)


@pytest.mark.parametrize("what", OPEN)
async def test_a_refresh_replaces_one_that_hangs(desk: Desk, what: str) -> None:
    opened = await _opened(desk, what)
    await _hangs(desk, opened)
    requests = len(desk.line.requests)
    opened.refresh()
    await until(lambda: len(desk.line.requests) > requests)
    await until(lambda: desk.line.in_progress == 1)
    assert desk.line.cancelled == 1 and opened.refreshing
    desk.line.release()
    await opened.wait_until_idle()
    assert not opened.refreshing and not opened.refresh_requested and not opened.error_message


@pytest.mark.parametrize("what", OPEN)
async def test_a_refresh_that_was_given_up_sends_nothing_and_keeps_what_is_shown(desk: Desk, what: str) -> None:
    opened = await _opened(desk, what)
    await _hangs(desk, opened)
    assert opened.refresh_requested
    requests = len(desk.line.requests)
    opened.cancel_refresh()
    await opened.wait_until_idle()
    assert len(desk.line.requests) == requests and desk.line.in_progress == 0
    assert not opened.refreshing and not opened.refresh_requested
    if isinstance(opened, OpenRecord):
        assert opened.data is not None
    else:
        assert opened.row(0) is not None
    desk.line.release()
    opened.refresh()
    await opened.wait_until_idle()
    assert len(desk.line.requests) > requests, "the next refresh sends a request again"


@pytest.mark.parametrize("what", OPEN)
async def test_only_a_refresh_that_was_asked_for_counts_as_requested(desk: Desk, what: str) -> None:
    opened = await _opened(desk, what)
    desk.line.hold()
    requests = len(desk.line.requests)
    opened.retry()
    await until(lambda: len(desk.line.requests) > requests)
    assert opened.refreshing and not opened.refresh_requested
    desk.line.release()
    await opened.wait_until_idle()
