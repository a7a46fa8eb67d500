"""What every story needs: a service process of its own data, and folders of its own."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stories.driver import private_folders
from tests.support.process import serving_demo


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real service process with the small demo data; the stories of one file share it."""
    with serving_demo(tmp_path_factory.mktemp("service")) as server:
        yield server.url


@pytest.fixture(scope="module")
def hostile_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same with hostile texts in the records of one company."""
    with serving_demo(tmp_path_factory.mktemp("hostile"), "hostile") as server:
        yield server.url


@pytest.fixture(scope="module", autouse=True)
def no_consoles_are_left() -> Iterator[None]:
    """Each console freezes at its start what was made before: here the consoles of earlier stories, 4 MB each."""
    yield
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the developer who runs the tests is read or changed."""
    private_folders(monkeypatch, tmp_path)
    for name in ("NO_COLOR", "TMUX", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
