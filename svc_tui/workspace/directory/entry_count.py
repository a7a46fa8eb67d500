"""Number of entries in a directory before a file replaces it."""

from __future__ import annotations

from svc_tui.workspace.core.service import Reader, ReadError
from svc_tui.workspace.directory.target import ImportTarget


async def count_entries(service: Reader, target: ImportTarget) -> int | None:
    """Number of entries; None when it cannot be read, or when the file does not replace a directory."""
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
