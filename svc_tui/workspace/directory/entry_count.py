"""How many entries a directory has before a file replaces it."""

from __future__ import annotations

from svc_tui.workspace.core.service import Reader, ReadError
from svc_tui.workspace.directory.target import Target


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
    except (ReadError, KeyError, TypeError, ValueError):
        return None
