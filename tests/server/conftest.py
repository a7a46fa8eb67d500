"""Who buys in the tests of the service."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import caller
from tests.server.subscriptions.support import finance, furnished
from tests.support.world import OTHER_COMPANY, World

Document = dict[str, Any]


@pytest.fixture
async def seller(world: World) -> Document:
    """The bp_finance of the distributor, in a world with offers."""
    await furnished(world)
    return await finance(world)


@pytest.fixture
async def boss(world: World) -> Document:
    """A superadmin."""
    return await caller(world, "superadmin", OTHER_COMPANY)
