"""Profiles, and records of the local cache, for the completion of their IDs: read in SQL, without a request.

A cache that is locked, damaged or of another version offers nothing. It is never changed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from svc_tui.workspace.core.folders import file_name, folders
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles

#: The most records that are offered; a longer beginning of an ID finds the others.
MOST = 200
#: How long a writing console is waited for, in seconds.
_PATIENCE = 0.2
#: Fields that hold the name of a record, the first one that is set.
_NAMES = ("name", "displayName", "loginEmail", "offerName", "description", "number", "numberE164", "macAddress")
_FIND = """
SELECT id, body, max(fetched) FROM records WHERE kind = ? AND id >= ? AND id < ? || char(1114111) AND body != ''
GROUP BY id ORDER BY 3 DESC LIMIT ?
"""


def profiles() -> Iterator[tuple[str, str]]:
    """Name and address of the profiles of the user; none when the configuration cannot be read."""
    try:
        known = Profiles().configuration.profiles
    except (ConfigurationError, OSError):
        return
    yield from ((name, profile.base_url) for name, profile in known.items())


def known_records(profile: str, kind: str, beginning: str) -> Iterator[tuple[str, str]]:
    """ID and name of the records of a kind that the last user of a profile has seen, the latest first.

    `beginning` is that of the ID. None after a logout, unless the profile shows its records without a login.
    """
    try:
        file = _cache(profile)
        rows = _rows(file, kind, beginning) if file is not None and file.exists() else []
    except (ConfigurationError, OSError, sqlite3.Error, ValueError):
        return
    for record_id, body, _fetched in rows:
        yield record_id, _name(body)


def _cache(profile: str) -> Path | None:
    """The cache that the console shows without a login."""
    chosen = Profiles().load(profile)
    if chosen is None or chosen.browse_cache == "never":
        return None
    preferences = folders().data_of(chosen.name) / "preferences.json"
    stored = json.loads(preferences.read_text("utf-8"))
    user = stored.get("user") if isinstance(stored, dict) else None
    user_id = str(user.get("id") or "") if isinstance(user, dict) else ""
    return folders().cache_of(chosen.name) / f"{file_name(user_id)}.db" if user_id else None


def _rows(file: Path, kind: str, beginning: str) -> list[tuple[str, str, float]]:
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)
    try:
        return connection.execute(_FIND, (kind, beginning, beginning, MOST)).fetchall()
    finally:
        connection.close()


def _name(body: str) -> str:
    """The name of a record in one line, safe to print; empty without one."""
    record: Any = json.loads(body)
    if not isinstance(record, dict):
        return ""
    whole = " ".join(str(record.get(part) or "") for part in ("firstName", "lastName")).strip()
    found = next((str(record[field]) for field in _NAMES if record.get(field)), whole)
    return " ".join("".join(letter if letter.isprintable() else " " for letter in found).split())
