"""The folders of configuration, cache and data on this machine, and internal errors: a log file that only this user can
read, and one sentence that names the file.
"""

from __future__ import annotations

import os
import platform
import re
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import platformdirs

from svc_tui import __version__
from svc_tui.client.masking import mask_text
from svc_tui.language import _

PROGRAM = "svc-tui"


@dataclass(frozen=True, slots=True)
class Folders:
    """The three folders. They need not exist: each is created when it is first written to, for this user alone."""

    config: Path
    cache: Path
    data: Path

    def cache_of(self, profile: str) -> Path:
        """The folder with the cache databases of one profile."""
        return self.cache / file_name(profile)

    def data_of(self, profile: str) -> Path:
        """The folder with preferences and undo journals of one profile."""
        return self.data / file_name(profile)


def folders(environ: Mapping[str, str] = os.environ) -> Folders:
    """`SVC_TUI_CONFIG_DIR`, `SVC_TUI_CACHE_DIR` and `SVC_TUI_DATA_DIR`, or the default of the platform for each."""
    named = {kind: environ.get(f"SVC_TUI_{kind.upper()}_DIR", "") for kind in ("config", "cache", "data")}
    return Folders(**{kind: expanded(Path(name)) if name else _default(kind) for kind, name in named.items()})


def expanded(path: Path) -> Path:
    """The path with the home folder in place of `~` and `~user`; unchanged where that is unknown."""
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def _default(kind: str) -> Path:
    defaults = {
        "config": platformdirs.user_config_path,
        "cache": platformdirs.user_cache_path,
        "data": platformdirs.user_data_path,
    }
    return defaults[kind](PROGRAM, appauthor=False)


def file_name(text: str) -> str:
    """A text as one safe file name: a profile called `../x` stays inside its folder."""
    plain = re.sub(r"[^\w.@+-]", lambda match: f"%{ord(match[0]):x}", text, flags=re.ASCII)
    return re.sub(r"^\.", "%2e", plain)[:120] or "%"


#: Environment variable with the folder of crash logs; empty: the data folder.
CRASH_FOLDER = "SVC_TUI_CRASH_DIR"


def write_crash_log(error: BaseException) -> str:
    """Write the crash log; the sentence that names its file.

    Values of variables are left out and credentials in messages are masked: the file can be sent to others.
    """
    trace = "".join(traceback.format_exception(error))
    text = "".join(
        (
            f"svc-tui {__version__}, Python {platform.python_version()}, {platform.system()}\n",
            *(mask_text(line) for line in trace.splitlines(keepends=True)),
        )
    )
    # The folders of a demo are deleted with it, its crash logs must stay.
    kept = os.environ.get(CRASH_FOLDER)
    folder = Path(kept) if kept else folders().data
    path = folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{os.getpid()}.log"
    what = _("Internal error in svc-tui ({name}).").format(name=type(error).__name__)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as failure:
        error_message = _("The crash log could not be written to {folder} ({reason}).")
        return f"{what} {error_message.format(folder=folder, reason=failure.strerror)}"
    return f"{what} {_('Report it with the crash log {path}.').format(path=path)}"
