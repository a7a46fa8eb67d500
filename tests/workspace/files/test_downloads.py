"""Downloads: complete under the target name or absent; nothing is replaced without permission."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from svc_tui.client.errors import Refused, ServiceError, Unreachable
from svc_tui.workspace.changes.open_data import AFFECTED_SECONDS
from svc_tui.workspace.files.downloads import Download, SaveError, TimedSink, save_problem
from tests.workspace.conftest import JANE, Desk, Desks
from tests.workspace.line import until

DOWNLOAD = "get_company_invoice_file"
PDF = {"content-type": "application/pdf"}
Answer = Callable[[httpx.Request], httpx.Response]


class Gated(httpx.AsyncByteStream):
    """A body that waits in the middle until the gate is opened; then it continues, or is interrupted."""

    def __init__(self, error: Exception | None = None) -> None:
        self.gate, self._error = asyncio.Event(), error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"first;"
        await self.gate.wait()
        if self._error:
            raise self._error
        yield b"second"


def desk_of(desks: Desks, answer: Answer) -> Desk:
    desk = desks.make(httpx.MockTransport(answer), JANE)
    desk.attach()
    return desk


def download(desk: Desk, target: Path, **options: Any) -> Download:
    return Download(desk.workspace, DOWNLOAD, {"companyId": "c1", "fileId": "f1"}, target, **options)


async def test_the_file_appears_when_it_is_complete(desks: Desks, tmp_path: Path) -> None:
    body, target = Gated(), tmp_path / "a.csv"
    desk = desk_of(desks, lambda _: httpx.Response(200, stream=body, headers={**PDF, "content-length": "12"}))
    wanted = download(desk, target)
    running = asyncio.create_task(wanted.run())
    await until(lambda: wanted.sink is not None and wanted.sink.received == 6)
    assert (target.exists(), wanted.state, wanted.sink and wanted.sink.size) == (False, "running", 12)
    body.gate.set()
    assert await running == 12
    assert (target.read_bytes(), wanted.state) == (b"first;second", "done")
    assert target.stat().st_mode & 0o077 == 0
    link = desk.workspace.link
    assert (link.state, link.round_trip) == ("live", None), "how long a file takes says nothing of the line"


async def test_a_request_without_its_path_parameter_fails_with_a_sentence(desks: Desks, tmp_path: Path) -> None:
    desk = desk_of(desks, lambda _: httpx.Response(200, content=b"first", headers=PDF))
    wanted = Download(desk.workspace, DOWNLOAD, {"companyId": "c1", "fileId": ""}, tmp_path / "a.csv")
    with pytest.raises(ServiceError, match="Cannot send this request: get_company_invoice_file needs fileId"):
        await wanted.run()
    with pytest.raises(ServiceError, match="Cannot send this request: update_application needs appId"):
        await desk.workspace.perform("update_application", path={"appId": ""}, body={"name": "Lyon"})
    assert list(tmp_path.glob("*.csv")) == []


async def test_a_cancelled_download_leaves_no_file(desks: Desks, tmp_path: Path) -> None:
    body = Gated()
    desk = desk_of(desks, lambda _: httpx.Response(200, stream=body, headers=PDF))
    wanted = download(desk, tmp_path / "a.csv")
    running = asyncio.create_task(wanted.run())
    await until(lambda: wanted.sink is not None and wanted.sink.received == 6)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (list(tmp_path.glob("*.csv*")), list(tmp_path.glob(".a*")), wanted.state) == ([], [], "stopped")


async def test_an_interrupted_download_leaves_no_file_and_raises(desks: Desks, tmp_path: Path) -> None:
    body = Gated(httpx.ReadError("gone"))
    body.gate.set()
    desk = desk_of(desks, lambda _: httpx.Response(200, stream=body, headers=PDF))
    wanted = download(desk, tmp_path / "a.csv")
    with pytest.raises(Unreachable, match="broke before"):
        await wanted.run()
    assert (list(tmp_path.glob("*.csv*")), list(tmp_path.glob(".a*")), wanted.state) == ([], [], "failed")


async def test_a_refusal_leaves_the_existing_file_unchanged(desks: Desks, tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("mine")
    desk = desk_of(desks, lambda _: httpx.Response(404, json={"errorDetailsCode": 404000, "errorDetails": "gone"}))
    with pytest.raises(Refused):
        await download(desk, target, overwrite=True).run()
    assert target.read_text() == "mine"


async def test_a_full_disk_is_reported_in_a_sentence(
    desks: Desks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(flow: TimedSink, piece: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(TimedSink, "take", full)
    desk = desk_of(desks, lambda _: httpx.Response(200, content=b"abc", headers=PDF))
    with pytest.raises(SaveError, match=r"Cannot write .*a\.csv: No space left on device\."):
        await download(desk, tmp_path / "a.csv").run()
    assert list(tmp_path.glob("*.csv*")) == []


async def test_an_existing_file_is_replaced_only_with_permission(desks: Desks, tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("mine")
    desk = desk_of(desks, lambda _: httpx.Response(200, content=b"new", headers=PDF))
    with pytest.raises(SaveError, match="already exists"):
        await download(desk, target).run()
    assert (target.read_text(), desk.line.requests) == ("mine", [])
    await download(desk, target, overwrite=True).run()
    assert target.read_text() == "new"


async def test_a_file_created_during_the_download_is_not_replaced_either(desks: Desks, tmp_path: Path) -> None:
    body, target = Gated(), tmp_path / "a.csv"
    desk = desk_of(desks, lambda _: httpx.Response(200, stream=body, headers=PDF))
    wanted = download(desk, target)
    running = asyncio.create_task(wanted.run())
    await until(lambda: wanted.sink is not None and wanted.sink.received == 6)
    target.write_text("another file")
    body.gate.set()
    with pytest.raises(SaveError, match="File exists"):
        await running
    assert target.read_text() == "another file"
    assert list(tmp_path.glob(".a*")) == []


async def test_an_impossible_target_is_reported_before_the_request(desks: Desks, tmp_path: Path) -> None:
    desk = desk_of(desks, lambda _: httpx.Response(200, content=b"new", headers=PDF))
    for target, expected in ((tmp_path, "is a folder"), (tmp_path / "none" / "a.csv", "does not exist")):
        with pytest.raises(SaveError, match=expected):
            await download(desk, target).run()
    assert desk.line.requests == []
    assert save_problem(Path("/a\0b/c"))


def test_rate_and_time_left_belong_to_the_current_attempt(tmp_path: Path) -> None:
    now = [0.0]
    with (tmp_path / "a").open("w+b") as file:
        flow = TimedSink(file, lambda: now[0])
        assert (flow.rate, flow.time_left) == (None, None)
        flow.begin(100)
        flow.take(b"x" * 90)
        now[0] = 60.0
        flow.begin(100)
        flow.take(b"y" * 20)
        now[0] = 62.0
        assert (flow.received, flow.rate, flow.time_left) == (20, 10.0, 8.0)
        flow.begin(None)
        flow.take(b"z")
        now[0] = 63.0
        assert (flow.rate, flow.time_left) == (1.0, None)
    assert (tmp_path / "a").read_bytes() == b"z"


async def test_a_list_without_pages_has_its_length_and_is_not_requested_in_parts(desks: Desks) -> None:
    rows = [{"id": f"i{number}"} for number in range(250)]
    desk = desk_of(desks, lambda _: httpx.Response(200, json={"data": rows, "total": 250}))
    listing = desk.workspace.listing("list_company_invoices", path={"companyId": "c1"})
    listing.request(200, 249)
    await listing.wait_until_idle()
    assert (listing.total, listing.row(249)) == (250, rows[249])
    assert [row async for row in listing.rows()] == rows


async def test_records_affected_by_many_changes_are_requested_once(desks: Desks) -> None:
    rows = [{"id": "u1", "displayName": "Jane"}]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(200, json={"data": {"subscriptionId": "s1"}})
        return httpx.Response(200, json={"data": rows, "total": 1, "limit": 100, "offset": 0})

    desk = desk_of(desks, answer)
    listing = desk.workspace.listing("list_users")
    listing.request(0, 20)
    await listing.wait_until_idle()
    rows[0] = {"id": "u1", "displayName": "Janet"}
    at = {"userId": "u1", "subscriptionId": "s1"}
    for _ in range(3):
        await desk.workspace.perform("assign_licence", path=at)
    asked = len(desk.line.requests)
    assert listing.row(0) == {"id": "u1", "displayName": "Jane"}
    assert desk.pauses.requests == [AFFECTED_SECONDS]
    desk.pauses.end()
    await until(lambda: len(desk.line.requests) > asked)
    await listing.wait_until_idle()
    assert len(desk.line.requests) == asked + 1
    assert listing.row(0) == {"id": "u1", "displayName": "Janet"}
