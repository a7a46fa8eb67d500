"""The folders of configuration, cache and data on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

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
