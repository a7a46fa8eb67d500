"""Generator of the manual page, which packages install. A test fails if it is outdated."""

from __future__ import annotations

from pathlib import Path

from svc_tui.commands.manual import page

FILE = Path(__file__).resolve().parent.parent / "svc-tui.1"

if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
    print(f"wrote {FILE.name}")
