"""A real server is killed in the middle of an import and started again: no directory is ever half the old, half new."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from svc_tui.client.client import Client
from svc_tui.client.content import Content
from svc_tui.client.errors import ServiceError
from svc_tui.interface.catalogue import operation
from svc_tui.server.demo.accounts import NORTHWIND
from svc_tui.server.demo.ids import id_of
from tests.stories.beside import other_client
from tests.support.process import serving, serving_demo

ADMIN, COMPANY = "directory_admin@demo.example", id_of("company", NORTHWIND)
#: Entries of the demo data before the import, and rows that are imported.
OLD, NEW = 420, 12_000
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


@pytest.mark.parametrize(
    ("operation_id", "far"),
    [
        ("import_directory_csv", 1),
        ("import_directory_csv", NEW // 2),
        ("import_directory_csv", NEW),
        (SYNCHRONIZE, 1),
    ],
)
async def test_after_a_kill_the_directory_is_the_old_or_the_new_one_and_the_report_agrees(
    tmp_path: Path, operation_id: str, far: int
) -> None:
    with serving_demo(tmp_path) as server:
        async with other_client(server.url, ADMIN) as client:
            assert await _entry_count(client) == OLD
            await _import_until(client, operation_id, lambda status: int(status.get("created") or 0) >= far)
            if far == 1:
                # There is much to do yet: readers have the old one.
                assert await _entry_count(client) == OLD
            server.process.kill()
            server.process.wait()
    with serving(tmp_path) as server:
        async with other_client(server.url, ADMIN) as client:
            whole = NEW + (OLD if operation_id == SYNCHRONIZE else 0)
            answer = await client.send(operation("get_company_import_report"), path={"companyId": COMPANY})
            report = answer.body["data"]
            if report["state"] == "Completed successfully":
                assert (report["created"], await _entry_count(client)) == (NEW, whole)
            else:
                assert report["state"] == "Completed with failure"
                assert "the directory is unchanged" in report["report"]["entry0"]["errorDetails"]
                assert (report["created"], await _entry_count(client)) == (0, OLD)
            # The next import can run.
            await client.send(operation("import_directory_csv"), body=Content(CSV, b"lastName\nAfterwards\n"))
            assert await _entry_count(client) == 1
