"""`svc-tui cache`: what is kept on this machine to start at once and to browse offline."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cyclopts import App

from svc_tui.commands.exits import say
from svc_tui.commands.options import AsJson, ProfileName

app = App(
    name="cache", version_flags=[], help_epilogue="", help="What is kept here to start at once and to browse offline."
)


@app.command
def info(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Where the cache is and how much it holds, for each profile and user."""
    from svc_tui.commands import output

    rows = [_row(path) for path in _databases(profile)]
    if json:
        output.json_document(rows)
    elif rows:
        output.table(rows, ("profile", "user", "bytes", "changed", "file"))
    else:
        say(f"The cache in {_folder()} is empty.")


@app.command
def clear(*, profile: ProfileName = "") -> None:
    """Remove the cache of one profile or of all; sessions and settings stay."""
    databases = _databases(profile)
    freed = 0
    for database in databases:
        for path in _files(database):
            freed += path.stat().st_size
            path.unlink(missing_ok=True)
    say(f"Removed {len(databases)} cache{'' if len(databases) == 1 else 's'}, {freed} bytes.")


def _folder() -> Path:
    from svc_tui.workspace.folders import folders

    return folders().cache


def _databases(profile: str) -> list[Path]:
    from svc_tui.workspace.folders import folders

    places = folders()
    where = places.cache_of(profile) if profile else places.cache
    return sorted(where.glob("*.db" if profile else "*/*.db"))


def _files(database: Path) -> list[Path]:
    """The database with what SQLite keeps beside it."""
    beside = (database.with_name(database.name + end) for end in ("", "-wal", "-shm", "-journal"))
    return [path for path in beside if path.exists()]


def _row(database: Path) -> dict[str, Any]:
    files = _files(database)
    changed = max(path.stat().st_mtime for path in files)
    return {
        "profile": database.parent.name,
        "user": database.stem,
        "bytes": sum(path.stat().st_size for path in files),
        "changed": datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds"),
        "file": str(database),
    }
