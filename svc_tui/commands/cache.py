"""`svc-tui cache`: what is kept on this machine to start at once and to browse offline."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import App

from svc_tui.commands.exits import say
from svc_tui.commands.options import AsJson, ProfileName

if TYPE_CHECKING:
    from svc_tui.cache.folder import CacheFile

app = App(name="cache", version_flags=[], help_epilogue="", help="What is kept here to start at once and offline.")


@app.command
def info(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Where the cache is and how much it holds, for each profile and user."""
    from svc_tui.commands import output

    rows = [_row(found) for found in _found(profile)]
    if json:
        output.json_document(rows)
    elif rows:
        output.table(rows, list(rows[0]))
    else:
        say(f"The cache in {_folder()} is empty.")


@app.command
def clear(*, profile: ProfileName = "") -> None:
    """Remove the cache of one profile or of all; sessions and settings stay."""
    from svc_tui.cache import folder

    count = len(_found(profile))
    freed = folder.clear(_folder(), _name(profile))
    say(f"Removed {count} cache{'' if count == 1 else 's'}, {freed} bytes.")


def _folder() -> Path:
    from svc_tui.workspace.core.folders import folders

    return folders().cache


def _name(profile: str) -> str:
    """The profile's name as its folder has it."""
    from svc_tui.workspace.core.folders import file_name

    return file_name(profile) if profile else ""


def _found(profile: str) -> list[CacheFile]:
    from svc_tui.cache import folder

    name = _name(profile)
    return [found for found in folder.info(_folder()) if not name or found.profile == name]


def _row(found: CacheFile) -> dict[str, Any]:
    newest = found.newest and datetime.fromtimestamp(found.newest, UTC).isoformat(timespec="seconds")
    return {
        "profile": found.profile,
        "user": found.user_id,
        "bytes": found.size,
        "records": found.records,
        "lists": found.lists,
        "newest": newest or found.trouble or None,
        "file": str(found.path),
    }
