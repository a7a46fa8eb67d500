"""The local cache of one profile and user: what was seen before, for the first screen and for browsing offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from svc_tui.cache.shapes import KeptList, KeptRecord, Row


class Cache:
    """Records by kind and id, lists by their pages. It never raises: what it cannot keep it forgets, and says so."""

    def __init__(self, path: Path | None, *, service: str = "", limit_bytes: int = 200_000_000) -> None:
        self.path, self.service, self.limit_bytes = path, service, limit_bytes
        self.trouble = ""

    def peek(self, key: str, pages: Sequence[int]) -> KeptList:
        """Pages of a list, read at once in the calling thread."""
        return KeptList()

    def peek_record(self, kind: str, record_id: str, form: str = "full") -> KeptRecord | None:
        """A record, read at once in the calling thread."""
        return None

    async def pages(self, key: str, pages: Sequence[int]) -> KeptList:
        return KeptList()

    async def keep_rows(
        self,
        key: str,
        *,
        operation_id: str,
        kind: str,
        form: str,
        first_page: int,
        ids: Sequence[str],
        rows: Sequence[Row],
        total: int,
        fetched: float,
    ) -> None:
        """Keep rows of a list, from the start of a page on."""

    async def record(self, kind: str, record_id: str, form: str = "full") -> KeptRecord | None:
        return None

    async def keep_record(
        self, kind: str, record_id: str, row: Row, *, operation_id: str, form: str = "full", fetched: float
    ) -> None:
        """Keep a record as an operation answered it."""

    async def change_record(
        self, kind: str, record_id: str, forms: Mapping[str, Row], *, operation_id: str, fetched: float
    ) -> None:
        """Take a changed record over into the forms in which it is kept."""

    async def mark_stale(self, kind: str, record_id: str | None = None) -> None:
        """Mark a record, or without one all lists of a kind, as possibly old."""

    async def forget_record(self, kind: str, record_id: str) -> None:
        """Forget a deleted record."""

    def close(self) -> None:
        """Finish what is under way and close the file."""
