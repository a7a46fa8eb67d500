"""A signing key for every server of a run: making one takes long."""

from __future__ import annotations

import shutil
from pathlib import Path

from svc_tui.server.security.tokens import signing_key
from tests.support.kept import kept


def share_signing_key(folder: Path) -> None:
    """Give a server's data folder the key of this run."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copy(kept("signing-key.pem", _make), folder / "signing-key.pem")


def _make(path: Path) -> None:
    folder = path.with_suffix(".folder")
    signing_key(folder)
    (folder / "signing-key.pem").rename(path)
