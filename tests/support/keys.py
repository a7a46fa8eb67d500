"""A signing key for every server of a run: making one takes long."""

from __future__ import annotations

import shutil
from pathlib import Path

from joserfc.jwk import RSAKey

from tests.support.kept import kept


def share_signing_key(folder: Path) -> None:
    """Give a server the key of this run: it adopts the one in its data folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copy(kept("signing-key.pem", _make), folder / "signing-key.pem")


def _make(path: Path) -> None:
    path.write_bytes(RSAKey.generate_key(2048, private=True).as_pem(private=True))
