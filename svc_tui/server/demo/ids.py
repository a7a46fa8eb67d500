"""Identifiers of demo records: the same at each start and on each machine."""

from __future__ import annotations

import hashlib


def id_of(kind: str, key: str | int) -> str:
    """The identifier of one demo record: 24 hexadecimal characters."""
    return hashlib.sha256(f"demo/{kind}/{key}".encode()).hexdigest()[:24]


def secret_of(kind: str, key: str | int) -> str:
    """A secret of one demo record: 32 hexadecimal characters. All demo secrets are public."""
    return hashlib.sha256(f"demo secret/{kind}/{key}".encode()).hexdigest()[:32]
