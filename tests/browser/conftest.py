"""One Chromium for the session, and a tab for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.browser.chromium import Tab, chromium, new_tab


@pytest.fixture(scope="session")
def devtools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chromium(tmp_path_factory.mktemp("chromium")) as address:
        yield address


@pytest.fixture
async def tab(devtools: str) -> AsyncIterator[Tab]:
    async with new_tab(devtools) as opened:
        yield opened
