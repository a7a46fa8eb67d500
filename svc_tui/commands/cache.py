"""`svc-tui cache`: the local cache, which lets the console start without waiting and be used offline."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from cyclopts import App

from svc_tui.cache import opening as cache_folder
from svc_tui.cache.opening import CacheFile
from svc_tui.commands import output
from svc_tui.commands.exits import print_message
from svc_tui.commands.options import AsJson, ProfileName
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.folders import file_name, folders

app = App(name="cache", version_flags=[], help_epilogue="", help=_("Show or clear the local cache."))


@app.command
def info(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Show the location and the size of the cache for each profile and user."""
    rows = [_row(file) for file in _files(profile)]
    if json:
        output.write_json(rows)
    elif rows:
        output.write_table(rows, list(rows[0]))
    else:
        print_message(_("The cache in {cache} is empty.").format(cache=folders().cache))


@app.command
def clear(*, profile: ProfileName = "") -> None:
    """Remove the cache of one profile or of all profiles. Sessions and settings stay."""
    count = len(_files(profile))
    freed = cache_folder.clear(folders().cache, _folder_name(profile))
    print_message(_("Removed {caches} ({freed} bytes).").format(caches=counted(count, "cache"), freed=freed))


def _folder_name(profile: str) -> str:
    """The name of a profile's folder; empty for all profiles."""
    return file_name(profile) if profile else ""


def _files(profile: str) -> list[CacheFile]:
    name = _folder_name(profile)
    return [file for file in cache_folder.info(folders().cache) if not name or file.profile == name]


def _row(file: CacheFile) -> dict[str, Any]:
    newest = file.newest and datetime.fromtimestamp(file.newest, UTC).isoformat(timespec="seconds")
    return {
        "profile": file.profile,
        "user": file.user_id,
        "bytes": file.size,
        "records": file.records,
        "lists": file.lists,
        "newest": newest or file.error_message or None,
        "file": str(file.path),
    }
