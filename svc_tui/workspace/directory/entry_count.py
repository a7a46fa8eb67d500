"""How many entries a directory has before a file replaces it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from svc_tui.workspace.directory.target import Target
from svc_tui.workspace.lists.source import NotRead


class Reader(Protocol):
    """What it takes to read."""

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any: ...


async def standing(service: Reader, target: Target) -> int | None:
    """How many entries there are now; None when that cannot be read, or when the file replaces nothing."""
    if target.purpose == "synchronize":
        return None
    personal = target.purpose == "personal"
    query = {"view": "personal"} if personal else {"view": "company", "companyId": target.company_id}
    try:
        bodies = [
            await service.read("list_directory_entries", {}, {**query, "type": type, "limit": 1})
            for type in ("user", "company")
        ]
        return sum(int(body["total"]) for body in bodies)
    except (NotRead, KeyError, TypeError, ValueError):
        return None
