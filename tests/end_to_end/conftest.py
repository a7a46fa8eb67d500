"""The command as it is installed, with its own folders."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a user's shell, without anything of the developer who runs the tests."""
    folders = {f"SVC_TUI_{kind.upper()}_DIR": str(tmp_path / kind) for kind in ("config", "cache", "data")}
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    return {**folders, "HOME": str(tmp_path), "LANG": "C.UTF-8", "PATH": path}


@pytest.fixture
def svc_tui() -> str:
    """The installed command."""
    return str(Path(sys.executable).with_name("svc-tui"))
