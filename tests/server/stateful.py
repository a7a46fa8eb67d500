"""A service that a state machine of hypothesis works on: random steps, and a model that must agree after each."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine

from tests.conftest import world_at
from tests.support.clock import SetClock
from tests.support.databases import TABLES
from tests.support.postgres import Postgres
from tests.support.world import World

T = TypeVar("T")

#: `MODEL_EXAMPLES=200 pytest tests/server -k model --timeout 0` tries many more, on PostgreSQL with
#: `MODEL_DATABASE=postgresql`.
BOUNDED = settings(
    max_examples=int(os.environ.get("MODEL_EXAMPLES", "6")),
    stateful_step_count=20,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


#: The server for `MODEL_DATABASE=postgresql`, which `conftest.py` starts.
POSTGRES: list[Postgres] = []


class Modelled(RuleBasedStateMachine):
    """Each run of steps has its own service, with an empty database.

    Ids are random: models choose a record by its place in the order of creation, so that steps can be repeated.
    """

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._runner = asyncio.Runner()
        folder = Path(self._folder.name)
        url = self.run_(POSTGRES[0].fresh()) if POSTGRES else TABLES.copy(folder / "svc.db")
        self._opened = world_at(url, folder, SetClock())
        self.world: World = self.run_(self._opened.__aenter__())

    def run_(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for this on the service's own loop."""
        return self._runner.run(work)

    def teardown(self) -> None:
        self.run_(self._opened.__aexit__(None, None, None))
        self._runner.close()
        self._folder.cleanup()
