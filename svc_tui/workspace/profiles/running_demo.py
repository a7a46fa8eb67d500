"""The running demo as a profile of other terminals: `--profile demo` finds the folders of its console."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.client.profile import DEMO, Profile
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles import configuration_file, profiles
from svc_tui.workspace.profiles.configuration_file import THEMES_FOLDER, ConfigurationError

if TYPE_CHECKING:
    from svc_tui.workspace.core.folders import Folders

#: The profile of a demo.
NAME = DEMO
#: How the name of its folder begins, in the folder for temporary files.
PREFIX = "svc-tui-demo-"
_KINDS = ("config", "cache", "data")
#: A file in its folder that its processes keep locked: the lock ends with them, also when they are killed.
_LOCK = "running"


def variables(folder: Path) -> dict[str, str]:
    """The environment variables of a demo's own configuration, cache and data."""
    return {f"SVC_TUI_{kind.upper()}_DIR": str(folder / kind) for kind in _KINDS}


def take_preferences(own: Folders) -> dict[str, Any]:
    """Copy the theme, key map and commands of the user for all profiles into the configuration of the demo.

    The values that a profile has of them; none when their configuration cannot be read, which is no matter of the demo.
    """
    with suppress(ConfigurationError, OSError):
        mine = profiles.Profiles(own).configuration.general
        taken = {key: mine[key] for key in ("theme", "keymap", "commands") if mine.get(key)}
        source = own.config / THEMES_FOLDER / f"{taken.get('theme', '')}.toml"
        if source.is_file():
            target = folders().config / THEMES_FOLDER
            target.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copy(source, target)
        if taken:
            configuration_file.change(folders().config / "config.toml", lambda document: document.update(taken))
        return {key: taken[key] for key in ("theme", "keymap") if key in taken}
    return {}


def is_read_as_lines(own: Folders) -> bool:
    """Whether the user's configuration sets the linear mode, for all that they open."""
    with suppress(ConfigurationError, OSError):
        return bool(profiles.Profiles(own).configuration.general.get("linear"))
    return False


def share(profile: Profile, own: Folders) -> None:
    """Let other user commands find the demo of this process by its name, without its password.

    `own` are the folders of the user; a profile of theirs with that name goes first, and the demo is not shared.
    """
    if NAME not in profiles.Profiles(own).names():
        profiles.Profiles().save(profile)


def hold(folder: Path) -> int:
    """Mark a folder as that of a running demo until this process ends, and those that get the returned descriptor."""
    draft = folder / f"{_LOCK}.draft"
    descriptor = os.open(draft, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    # The file is locked before other processes can see it.
    draft.rename(folder / _LOCK)
    return descriptor


def running_demo() -> Path | None:
    """The folder of the shared demo of this user that was started last; None without any.

    The folders of demos that were killed are removed.
    """
    found = []
    with os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            # A demo that is just ending removes its folder.
            with suppress(FileNotFoundError):
                if entry.name.startswith(PREFIX) and _is_private(entry.stat(follow_symlinks=False)):
                    if _was_killed(Path(entry.path)):
                        shutil.rmtree(entry.path, ignore_errors=True)
                    shared = Path(entry.path, "config", "config.toml")
                    found.append((shared.stat().st_mtime_ns, Path(entry.path)))
    return max(found)[1] if found else None


def _was_killed(folder: Path) -> bool:
    """Whether no process holds the folder. FileNotFoundError before one does."""
    descriptor = os.open(folder / _LOCK, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def _is_private(status: os.stat_result) -> bool:
    """Whether a folder was made by this user for this user alone; others can write to the same parent folder."""
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


def follow(named: str) -> None:
    """Use the folders of the running demo in this process when a profile with its name is asked for.

    A stored profile of that name goes first, and an address in the environment.
    """
    wanted = named or os.environ.get("SVC_TUI_PROFILE", "")
    if wanted != NAME or os.environ.get("SVC_TUI_BASE_URL") or NAME in profiles.Profiles().names():
        return
    if (folder := running_demo()) is not None:
        os.environ.update(variables(folder))
