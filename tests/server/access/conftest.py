"""The estates of all tests of access, made once for each file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from svc_tui.server.store.store import Store
from tests.conftest import world_at
from tests.server.access.matrix import Matrix
from tests.support.clock import SetClock
from tests.support.databases import demo


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    folder: Path = tmp_path_factory.mktemp("access")
    clock = SetClock()
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch:
        opened = world_at(demo(clock.now().date()).copy(folder / "svc.db"), folder, clock)
        made = Matrix(runner, runner.run(opened.__aenter__()))
        made.run(made.settle())
        # Each request ends as if it had not been: the next one finds the same records.
        patch.setattr(Store, "commit", Store.rollback)
        yield made
        runner.run(opened.__aexit__(None, None, None))
