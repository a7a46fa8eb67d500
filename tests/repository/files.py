"""The files of the repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = {".gif", ".png", ".svg", ".webp", ".ico"}
#: A catalogue of texts, as a program reads it.
COMPILED = ".mo"


def tracked() -> list[Path]:
    """Every file of the repository, including new files that are not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def texts() -> list[tuple[str, str]]:
    """Name and text of every file that is not a picture or compiled."""
    return [
        (str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
        for path in tracked()
        if path.suffix not in {*PICTURES, COMPILED}
    ]
