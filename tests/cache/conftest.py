"""A cache in its own folder, and shorthands for its contents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from svc_tui.cache.cached import RecordDict
from svc_tui.cache.store import Cache

SERVICE = "https://service.example"
LIST = '["list_applications",{},{}]'


def applications(count: int, first: int = 0, **fields: Any) -> list[RecordDict]:
    """Rows of an application list."""
    return [{"id": f"a{number}", "name": f"App {number}", **fields} for number in range(first, first + count)]


async def keep(
    cache: Cache, rows: list[RecordDict], *, page: int = 0, total: int | None = None, at: float = 1000.0
) -> None:
    """Keep rows as the application list gave them."""
    await cache.store_rows(
        LIST,
        operation_id="list_applications",
        kind="applications",
        form="small",
        first_page=page,
        ids=[row["id"] for row in rows],
        rows=rows,
        total=len(rows) if total is None else total,
        fetched=at,
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "profile" / "user.db"


@pytest.fixture
def opened(file: Path) -> Iterator[Callable[..., Cache]]:
    """Opens consoles' caches on the same file; they are closed at the end."""
    caches: list[Cache] = []

    def open_cache(**options: Any) -> Cache:
        caches.append(Cache(options.pop("path", file), **{"service": SERVICE, **options}))
        return caches[-1]

    yield open_cache
    for cache in caches:
        cache.close()


@pytest.fixture
def cache(opened: Callable[..., Cache]) -> Cache:
    return opened()
