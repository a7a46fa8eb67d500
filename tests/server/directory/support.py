"""Shared by the tests of directories: callers, and uploads of files."""

from __future__ import annotations

from typing import Any

import httpx

from tests.support.world import COMPANY, World, granted

ENTRIES = "/api/svc/directory/v1.0/entries"
IMPORTS = "/api/svc/massprovisioning/v1.0/directories/imports"
COMMAND = "cd" * 12
CSV = {"content-type": "text/csv; charset=utf-8"}

Document = dict[str, Any]


async def admin(world: World, role: str = "directory_admin", **fields: Any) -> Document:
    """A user who may import."""
    return await world.user(f"{role}@example.com", roles=(role,), **fields)


async def sent(world: World, by: Document, text: str | bytes, path: str = "", **query: Any) -> httpx.Response:
    """A file, sent as clients send it."""
    content = text.encode() if isinstance(text, str) else text
    return await world.post(IMPORTS + path, by=by, content=content, headers=CSV, params=query)


async def imported(world: World, by: Document, text: str | bytes, path: str = "", **query: Any) -> Document:
    """An import, waited for; its report."""
    report: Document = granted(await sent(world, by, text, path, **query))["data"]
    return report


async def names(world: World, by: Document, **query: Any) -> list[str]:
    """The last names of the entries that a user reads, in their order."""
    answer = granted(await world.get(ENTRIES, by=by, params={"companyId": COMPANY, "format": "full", **query}))
    return [entry.get("lastName") or entry.get("companyName") for entry in answer["data"]]
