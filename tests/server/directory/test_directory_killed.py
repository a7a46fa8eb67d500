"""A real server ends in the middle of an import: the next one completes it, and no directory is ever half."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals
from typing import Any

import pytest

from svc_tui.client.client import Client
from svc_tui.client.content import Content
from svc_tui.client.errors import ServiceError
from svc_tui.interface.catalogue import operation
from svc_tui.interface.directory.values import ENDED
from svc_tui.server.demo.accounts import NORTHWIND
from svc_tui.server.demo.repeatable import id_of
from tests.stories.beside import other_client
from tests.support.process import serving, serving_demo

ADMIN, COMPANY = "directory_admin@demo.example", id_of("company", NORTHWIND)
#: Entries of the demo data before the import, and rows that are imported.
OLD, NEW = 420, 6_000
CSV = "text/csv; charset=utf-8"
SYNCHRONIZE = "import_directory_csv_synchronize"

Status = dict[str, Any]


def _file(operation_id: str) -> Content:
    """New entries; by their actions they come to those that are there."""
    head, row = (
        ("lastName", "New{}") if operation_id != SYNCHRONIZE else ("__action__;ldap_id;lastName", "sync;n{0};New{0}")
    )
    lines = [head, *(row.format(number) for number in range(NEW))]
    return Content(CSV, "\n".join(lines).encode())


async def _entry_count(client: Client) -> int:
    totals = [
        (
            await client.send(
                operation("list_directory_entries"),
                query={"companyId": COMPANY, "view": "company", "type": type, "limit": 1},
            )
        ).body["total"]
        for type in ("user", "company")
    ]
    return sum(totals)


async def _import_until(client: Client, operation_id: str, enough: Callable[[Status], bool]) -> None:
    """Begin an import and return as soon as its status is far enough."""
    sending = asyncio.create_task(client.send(operation(operation_id), body=_file(operation_id)))
    while not enough(await _status(client)):
        # The question itself is what is waited for.
        continue
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)


async def _status(client: Client) -> Status:
    try:
        answer = await client.send(operation("get_company_import_status"), path={"companyId": COMPANY})
    except ServiceError:
        return {}
    return dict(answer.body["data"])


async def _ended(client: Client) -> Status:
    """The status of the import when it has ended."""
    while (status := await _status(client)).get("state") not in ENDED:
        # The question itself is what is waited for.
        continue
    return status


@pytest.mark.parametrize(
    ("operation_id", "far", "signal"),
    [
        ("import_directory_csv", 1, SIGKILL),
        ("import_directory_csv", 1, SIGTERM),
        ("import_directory_csv", NEW, SIGKILL),
        (SYNCHRONIZE, 1, SIGKILL),
    ],
)
async def test_the_next_server_completes_an_import_once(
    tmp_path: Path, operation_id: str, far: int, signal: Signals
) -> None:
    settings = tmp_path / "server.toml"
    settings.write_text("grace_seconds = 0\n")
    with serving_demo(tmp_path, config=settings) as server:
        async with other_client(server.url, ADMIN) as client:
            assert await _entry_count(client) == OLD
            await _import_until(client, operation_id, lambda status: int(status.get("created") or 0) >= far)
            if far == 1:
                # There is much to do yet: readers have the old one.
                assert await _entry_count(client) == OLD
            server.process.send_signal(signal)
            server.process.wait()
    with serving(tmp_path) as server:
        async with other_client(server.url, ADMIN) as client:
            status = await _ended(client)
            assert (status["state"], status["created"], status["failed"]) == ("Completed successfully", NEW, 0)
            assert await _entry_count(client) == NEW + (OLD if operation_id == SYNCHRONIZE else 0)
            # The next import can run.
            await client.send(operation("import_directory_csv"), body=Content(CSV, b"lastName\nAfterwards\n"))
            assert await _entry_count(client) == 1
